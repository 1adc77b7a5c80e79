import type { CompiledMapping, ResolvedReference, Row } from '@unified/connectors';
import type { MappedRecord, Reference } from '@unified/contract';
import type { SendRecord } from './write-steps.ts';

/** Whether a row shows what was sent. `incomparable` means that equal values would prove nothing, for example for lines. */
export type Comparison = 'same' | 'different' | 'incomparable';

/** Compares what was sent with the current values in the connected system, as fields of the unified record. */
export function sameAsSent(mapping: CompiledMapping, record: MappedRecord, sent: SentFields): Comparison {
  const compared = compareFields(mapping, record, sent).map(({ comparison }) => comparison);
  if (compared.includes('different')) return 'different';
  return compared.includes('incomparable') || compared.length === 0 ? 'incomparable' : 'same';
}

/** A field whose value in the connected system differs from the one that was sent, with both values. */
export interface Difference {
  readonly field: string;
  readonly sent: unknown;
  readonly stored: unknown;
}

/**
 * Fields whose value in the connected system differs from the one that was sent. Blank text that has become no value differs,
 * although it does not count against the outcome of a write: the sender may expect to read it again.
 */
export function differingFields(mapping: Mapped, record: Compared, sent: SentFields): Difference[] {
  return compareFields(mapping, record, sent).filter(
    (each) => each.comparison === 'different' || (each.comparison === 'same' && isLostBlank(each)),
  );
}

function isLostBlank({ sent, stored }: Difference): boolean {
  return isBlank(sent) && sent !== stored;
}

/** Whether a value is text of only white space. The empty text is not: it clears a field, like null. */
export function isBlank(value: unknown): boolean {
  return typeof value === 'string' && value !== '' && value.trim() === '';
}

interface ComparedField extends Difference {
  readonly comparison: Comparison;
}

type Mapped = Pick<CompiledMapping, 'fields'>;
type Compared = Pick<MappedRecord, 'values' | 'references'>;
type SentFields = Pick<SendRecord, 'input' | 'unsupported'>;

function compareFields(mapping: Mapped, record: Compared, { input, unsupported }: SentFields): ComparedField[] {
  return Object.entries(input)
    .filter(([field]) => !unsupported.includes(field))
    .flatMap(([field, sent]): ComparedField[] => {
      if (field === CUSTOM) return compareCustom(record, sent as Row, unsupported);
      const comparison = mapping.fields.includes(field) ? compareField(record, field, sent) : 'incomparable';
      return [{ field, sent, stored: record.references[field] ?? record.values[field], comparison }];
    });
}

const CUSTOM = 'customFields';

/** Compares each custom field that was sent; its name is `customFields.color`, for example. */
function compareCustom({ values }: Compared, sent: Row, unsupported: readonly string[]): ComparedField[] {
  const held = (values[CUSTOM] ?? {}) as Row;
  return Object.entries(sent)
    .map(([name, value]): ComparedField => {
      const stored = Object.hasOwn(held, name) ? held[name] : null;
      const comparison = means(stored, value) ? 'same' : 'different';
      return { field: `${CUSTOM}.${name}`, sent: value, stored, comparison };
    })
    .filter(({ field }) => !unsupported.includes(field));
}

function compareField(record: Compared, field: string, value: unknown): Comparison {
  if (Object.hasOwn(record.references, field)) return compareReference(record.references[field] ?? null, value);
  const held = record.values[field];
  if (isEmptyList(value)) return held === undefined || held === null || isEmptyList(held) ? 'same' : 'different';
  if (typeof value === 'object' && value !== null) return 'incomparable';
  return means(held, value) ? 'same' : 'different';
}

function compareReference(held: Reference | readonly Reference[] | null, value: unknown): Comparison {
  if (value === null) return held === null || (Array.isArray(held) && held.length === 0) ? 'same' : 'different';
  const wanted = Array.isArray(value) ? value : [value];
  if (!wanted.every(isResolved)) return 'incomparable';
  const found: readonly Reference[] = held === null ? [] : isList(held) ? held : [held];
  if (found.length !== wanted.length) return 'different';
  return found.every(({ by, value: text }) => wanted.some((target) => target[by] === text)) ? 'same' : 'different';
}

function isList(held: Reference | readonly Reference[]): held is readonly Reference[] {
  return Array.isArray(held);
}

function isResolved(value: unknown): value is ResolvedReference {
  return (
    typeof value === 'object' && value !== null && Object.hasOwn(value, 'entity') && Object.hasOwn(value, '_idValue')
  );
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

const INSTANT = /^\d{4}-\d\d-\d\d(T|$)/i;

/** Whether two plain values are equivalent: 358 and "358.00", null and "", or two notations of the same instant. */
function means(held: unknown, wanted: unknown): boolean {
  const [left, right] = [held, wanted].map((value) =>
    value === null || value === undefined ? '' : String(value).trim(),
  );
  if (left === undefined || right === undefined || left === right) return left === right;
  if (typeof held === 'number' || typeof wanted === 'number')
    return left !== '' && right !== '' && Number(left) === Number(right);
  return INSTANT.test(left) && INSTANT.test(right) && instantOf(left) === instantOf(right);
}

/** Milliseconds since 1970; RFC 3339 allows lower-case `t` and `z`. */
const instantOf = (text: string) => Date.parse(text.toUpperCase());

/**
 * Whether only a change of the row can prove that a request took effect, because the request has values that cannot be
 * compared.
 */
export function needsRowBefore(mapping: CompiledMapping, input: Row, unsupported: readonly string[]): boolean {
  return Object.entries(input).some(
    ([field, value]) =>
      field !== CUSTOM && !unsupported.includes(field) && (!mapping.fields.includes(field) || containsLines(value)),
  );
}

function containsLines(value: unknown): boolean {
  if (Array.isArray(value)) return !value.every(isResolved);
  return typeof value === 'object' && value !== null && !isResolved(value);
}
