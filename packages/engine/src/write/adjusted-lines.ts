import { ROW_KEY, type Row } from '@unified/connectors';
import type { MappedRecord } from '@unified/contract';
import { type ConnectionModel, streamOf } from '../model/connection-model.ts';
import type { ReadRows } from './read-back.ts';
import { type Difference, differingFields } from './same-as-sent.ts';
import type { SendRecord } from './write-steps.ts';

/** Lines of longer lists are not compared, because each might have to be compared with every other one. */
const MOST_COMPARED = 100;

/** A line of the connected system. */
interface Held {
  /** Key of the row; absent if the line is not a separate row. */
  readonly key?: string;
  /** The fields whose values differ from those of a line that was sent. */
  differences(sent: Row): Difference[];
}

/**
 * Fields of lines whose value in the connected system differs from the one that was sent, such as `lines[0].quantity`.
 * Lists are skipped where the system has a different number of lines, because it is unknown which of them correspond.
 *
 * @param others rows that were read back with the record
 */
export function differingLineFields(
  model: ConnectionModel,
  record: MappedRecord,
  { input, unsupported }: Pick<SendRecord, 'input' | 'unsupported'>,
  others: readonly ReadRows[],
): Difference[] {
  return Object.entries(input).flatMap(([field, lines]) => {
    if (!areLines(lines) || lines.length > MOST_COMPARED || unsupported.includes(field)) return [];
    const left = unsupported.flatMap((name) => (name.startsWith(`${field}.`) ? [name.slice(field.length + 1)] : []));
    const held = heldLines(model, record, field, { others, left });
    return held.length === lines.length ? differing(field, lines, held) : [];
  });
}

/** Whether each list of lines that was sent has as many lines in the connected system, if it can be read there. */
export function hasAllLines(
  { values, references }: Pick<MappedRecord, 'values' | 'references'>,
  { input, unsupported }: Pick<SendRecord, 'input' | 'unsupported'>,
): boolean {
  return Object.entries(input).every(([field, lines]) => {
    const held = values[field] ?? references[field];
    return !areLines(lines) || unsupported.includes(field) || !Array.isArray(held) || held.length === lines.length;
  });
}

/**
 * Lines that name their row are compared with that row. Of the others, those that equal some row are left out, and the rest are
 * compared in order.
 */
function differing(field: string, lines: readonly Row[], held: readonly Held[]): Difference[] {
  const isNamed = (key: string | undefined) => lines.some((line) => key !== undefined && line[ROW_KEY] === key);
  const open = held.filter(({ key }) => !isNamed(key));
  const changed = [...lines.entries()].filter(([, line]) => {
    if (line[ROW_KEY] !== undefined) return true;
    const same = open.findIndex(({ differences }) => differences(line).length === 0);
    if (same >= 0) open.splice(same, 1);
    return same < 0;
  });
  let place = 0;
  return changed.flatMap(([index, line]) => {
    const row = line[ROW_KEY] === undefined ? open[place++] : held.find(({ key }) => key === line[ROW_KEY]);
    return row?.differences(line).map((each) => ({ ...each, field: `${field}[${index}].${each.field}` })) ?? [];
  });
}

/** The lines that the system has in a list, in order: objects of the record, or rows of other streams that were read back. */
function heldLines(
  model: ConnectionModel,
  record: MappedRecord,
  field: string,
  { others, left }: { readonly others: readonly ReadRows[]; readonly left: readonly string[] },
): Held[] {
  const objects = record.values[field];
  if (areLines(objects))
    return objects.map((values) => ({
      differences: (line) => differingFields(...asRecord(values), { input: line, unsupported: left }),
    }));
  return [record.references[field] ?? []].flat().flatMap(({ entity, by, value: key }) => {
    const mapping = model.mappings[entity];
    const stream = streamOf(model, entity);
    const rows = others.find((each) => each.stream.name === stream?.name)?.rows ?? [];
    const row = by === '_idValue' ? rows.find((each) => each.key === key) : undefined;
    const line = row && mapping?.read(row);
    const differences = (sent: Row) =>
      mapping && line ? differingFields(mapping, line, { input: sent, unsupported: left }) : [];
    return line ? [{ key, differences }] : [];
  });
}

/** An object of a list in the form in which fields are compared. */
function asRecord(values: Row): [{ readonly fields: readonly string[] }, Pick<MappedRecord, 'values' | 'references'>] {
  return [{ fields: Object.keys(values) }, { values, references: {} }];
}

function areLines(value: unknown): value is readonly Row[] {
  const isLine = (line: unknown) => typeof line === 'object' && line !== null && !Object.hasOwn(line, '_idValue');
  return Array.isArray(value) && value.length > 0 && value.every(isLine);
}
