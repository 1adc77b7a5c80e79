import type { ResolvedReference } from '@unified/connectors';
import type { WriteWarning } from '@unified/store';
import type { ConnectionModel, PlatformFacts } from '../model/connection-model.ts';
import type { WriteBody } from './given-references.ts';

/** The warnings about fields of a body that are not sent, or whose value is not. */
export function warningsOf(
  { platform, mappings }: ConnectionModel,
  { entity, body }: WriteBody,
  fields: readonly string[],
): WriteWarning[] {
  const writable = mappings[entity]?.writable ?? [];
  return fields.map((field) =>
    writable.includes(field) ? valueUnsupported(platform, entity, field, body[field]) : unsupported(platform, field),
  );
}

/** The warning that a value was not sent. */
export function unsupported(platform: PlatformFacts, field: string): WriteWarning {
  return {
    code: 'FIELD_NOT_SUPPORTED',
    field,
    message: `${platform.name} does not support \`${field}\`; it was not sent.`,
  };
}

/** The warning that a field of the system cannot take a value, because the mapping does not translate it. */
function valueUnsupported(platform: PlatformFacts, entity: string, field: string, value: unknown): WriteWarning {
  const shown = shownValue(value);
  const message =
    `${platform.name} has no value in \`${field}\` for ${shown}; it was not sent. ` +
    `Send a value that the mapping of ${entity} has, or add this one to it, for example to the table of its \`lookup\`.`;
  return { code: 'FIELD_NOT_SUPPORTED', field, message };
}

/** A value as messages show it: text and numbers as sent, a reference by its target, anything else as "this value". */
function shownValue(value: unknown): string {
  if (typeof value !== 'object' || value === null) return (JSON.stringify(value) ?? 'null').slice(0, 100);
  const { entity, _displayValue } = value as Partial<ResolvedReference>;
  return entity === undefined ? 'this value' : `the ${entity} "${_displayValue}"`;
}
