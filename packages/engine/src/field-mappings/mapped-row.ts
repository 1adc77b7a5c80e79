import { isSecretPath, type Row } from '@unified/connectors';
import type { MappedRecord, Reference } from '@unified/contract';

/** The values of a record by field, as shown to clients. References are shown with the property by which they are resolved. */
export function shownFields({ values, references, deletedAt }: MappedRecord): Readonly<Record<string, unknown>> {
  const shown = Object.entries(references).map(([name, found]) => [
    name,
    found === null ? null : isList(found) ? found.map(shownReference) : shownReference(found),
  ]);
  return { ...values, ...Object.fromEntries(shown), ...(deletedAt && { _deletedAt: deletedAt }) };
}

function isList(found: Reference | readonly Reference[]): found is readonly Reference[] {
  return Array.isArray(found);
}

function shownReference({ entity, by, value }: Reference): object {
  return { rel: entity, [by]: value };
}

/** The row without columns whose names suggest a secret. */
export function withoutSecrets(row: Row): Row {
  return Object.fromEntries(Object.entries(row).filter(([name]) => !isSecretPath(name)));
}
