import { resolve } from '@unified/contract';
import type { DocumentSchema, ReferenceDocument } from '../src/reference/reference-document.ts';
import { alternatives, nameOf, propertiesOf } from './schema.ts';
import { type LinkOfRecord, REFERENCES } from './schema-type.ts';

/** What the rows of a schema depend on. */
export interface Described {
  readonly document: ReferenceDocument;
  readonly linkOfRecord: LinkOfRecord;
}

/** A parameter, a property or a field. */
export interface Row {
  readonly name: string;
  /** Its anchor, if it can be linked to. */
  readonly id?: string;
  /** Where it is sent, such as `query`. */
  readonly place?: string;
  readonly schema: DocumentSchema;
  readonly isRequired: boolean;
  readonly description?: string | undefined;
}

/** Properties of a response are not marked "required", because they are always present. */
export type Direction = 'request' | 'response';

/** The place of a row, and whether it is required or read-only. */
export function marksOf({ place, isRequired }: Row, { readOnly }: DocumentSchema, direction: Direction): string[] {
  const isAlwaysSent = isRequired && direction === 'request';
  return [...(place ? [place] : []), ...(isAlwaysSent ? ['required'] : []), ...(readOnly ? ['read-only'] : [])];
}

/** The bounds and the default of a value in words. */
export function factsOf(schema: DocumentSchema): string[] {
  const { minimum, maximum, minLength, maxLength, minItems, maxItems, default: preset } = schema;
  return [
    ...range(minimum, maximum, ''),
    ...range(minLength === 1 ? undefined : minLength, maxLength, ' characters'),
    ...range(minItems, maxItems, ' items'),
    ...(preset === undefined ? [] : [`default ${JSON.stringify(preset)}`]),
  ];
}

function range(least: number | undefined, most: number | undefined, unit: string): string[] {
  if (least === undefined && most === undefined) return [];
  if (least === undefined) return [`at most ${count(most)}${unit}`];
  return [most === undefined ? `at least ${count(least)}${unit}` : `${count(least)} to ${count(most)}${unit}`];
}

function count(number = 0): string {
  return number.toLocaleString('en-US', { maximumFractionDigits: 20 });
}

/** The values that a property, or each element of its list, can have, as JSON; undefined if they are not listed. */
export function valuesOf(document: ReferenceDocument, schema: DocumentSchema): string[] | undefined {
  const { options, isNullable } = alternatives(schema);
  const [only, ...others] = options.map((each) => resolve<DocumentSchema>(document, each));
  if (!only || others.length > 0) return undefined;
  const values = only.enum ?? (only.items && resolve<DocumentSchema>(document, only.items).enum);
  return values && [...new Set([...values, ...(isNullable ? [null] : [])])].map((value) => JSON.stringify(value));
}

/** A schema whose properties are shown, with the names of the schemas that contain it. */
export interface Inner {
  readonly schema: DocumentSchema;
  readonly above: readonly string[];
}

/**
 * The objects within a property whose properties are shown with it: its alternatives, or the elements of its list. Objects that
 * have their own page, references, and objects that contain themselves are left out. `above` names the schemas around the
 * property.
 */
export function innerOf(described: Described, schema: DocumentSchema, above: readonly string[]): Inner[] {
  const { document } = described;
  if (isShownElsewhere(described, schema)) return [];
  const { options } = alternatives(resolve<DocumentSchema>(document, schema));
  const inner = options.map((each) => {
    const { items } = resolve<DocumentSchema>(document, each);
    return items ?? (options.length === 1 ? schema : each);
  });
  return inner.flatMap((each) => {
    const name = nameOf(each);
    if (isShownElsewhere(described, each) || (name !== undefined && above.includes(name))) return [];
    if (propertiesOf(document, each).length === 0) return [];
    return [{ schema: each, above: name === undefined ? above : [...above, name] }];
  });
}

function isShownElsewhere({ linkOfRecord }: Described, schema: DocumentSchema): boolean {
  const name = nameOf(schema);
  return name !== undefined && (linkOfRecord(name) !== undefined || REFERENCES.has(name));
}
