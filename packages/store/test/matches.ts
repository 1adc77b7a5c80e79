import type { Condition } from '../src/index.ts';

/** A simple implementation of the filter rules of the specification: whether a returned record meets a condition. */
export function matches(record: Record<string, unknown>, { field, operator, value }: Condition): boolean {
  const held = record[field.name] ?? null;
  const wanted = Array.isArray(value) ? value.map(String) : String(value);
  if (field.kind === 'relation') return matchesLink(held === null ? [] : [idOf(held)], operator, wanted);
  if (field.kind === 'relations') return matchesLink(((held as unknown[] | null) ?? []).map(idOf), operator, wanted);
  if (field.kind === 'texts') return matchesTexts((held as string[] | null) ?? [], operator, value, wanted);
  if (value === null) return operator === 'eq' ? held === null : held !== null;
  if (held === null) return operator === 'neq';
  if (operator === 'in') return (wanted as string[]).some((each) => compare(field.kind, held, each) === 0);
  if (operator === 'contains') return String(held).toLowerCase().includes(String(wanted).toLowerCase());
  if (operator === 'startsWith') return String(held).toLowerCase().startsWith(String(wanted).toLowerCase());
  if (operator === 'endsWith') return String(held).toLowerCase().endsWith(String(wanted).toLowerCase());
  const order = compare(field.kind, held, String(wanted));
  const answers = { eq: order === 0, neq: order !== 0, gt: order > 0, gte: order >= 0, lt: order < 0, lte: order <= 0 };
  return answers[operator];
}

function idOf(link: unknown): string {
  return (link as { id: string }).id;
}

/** A record without a link matches neither eq nor neq. */
function matchesLink(held: string[], operator: string, wanted: string | string[]): boolean {
  if (operator === 'in') return held.some((id) => wanted.includes(id));
  return held.length > 0 && held.includes(String(wanted)) === (operator === 'eq');
}

function matchesTexts(held: string[], operator: string, value: unknown, wanted: string | string[]): boolean {
  if (value === null) return (held.length === 0) === (operator === 'eq');
  if (operator === 'in') return held.some((text) => wanted.includes(text));
  return held.includes(String(wanted)) === (operator === 'eq');
}

function compare(kind: string, held: unknown, wanted: string): number {
  if (kind === 'number' || kind === 'integer') return Number(held) - Number(wanted);
  if (kind === 'date' || kind === 'datetime') return Date.parse(String(held)) - Date.parse(wanted);
  const [one, other] = [String(held), wanted];
  return one === other ? 0 : one < other ? -1 : 1;
}
