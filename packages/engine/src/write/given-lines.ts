import { type CompiledMapping, type KnownLists, ROW_KEY, type Row } from '@unified/connectors';
import { type Entity, type Field, spokenName } from '@unified/contract';
import { documents, type Scope } from '@unified/store';
import { customOf, writableCustomFields } from './given-custom-fields.ts';
import { type ReferenceFault, unresolved, type WriteBody } from './given-references.ts';
import { storedRecord } from './open-write.ts';

/** A line of a record, as this service stores it. */
interface HeldLine {
  readonly id: string | null;
  readonly _idValue: string;
}

/** The lines in one field of a body, and those that the record has. */
interface Lines {
  readonly field: Field;
  readonly entity: Entity;
  readonly given: readonly Row[];
  readonly held: readonly HeldLine[];
}

/** Properties of a line that identify it. */
type LineKey = 'id' | '_idValue';

/**
 * Identifies the lines of a body among those of the record: by `id`, `_idValue`, or else by their number. Such a line gets the
 * key of its row (`ROW_KEY`) instead, and values that are not sent are kept. Other lines are new and stay as they are. Throws
 * SERVICE_UNRESOLVED_REFERENCE for a key that no line of the record has, or that several lines of the body have.
 */
export async function identifyLines(scope: Scope, write: WriteBody): Promise<Row> {
  const body: Record<string, unknown> = { ...write.body };
  const faults: ReferenceFault[] = [];
  for (const lines of await linesIn(scope, write)) {
    const numbers = await heldNumbers(scope, lines);
    const taken = new Set<string>();
    body[lines.field.name] = lines.given.map((line, index) => {
      const { id, _idValue, ...changes } = line;
      const key = keyOf(lines, numbers, line);
      if (key === undefined && id === undefined && _idValue === undefined) return line;
      if (key === undefined || taken.has(key))
        faults.push(fault(lines, index, key === undefined ? 'missing' : 'repeated'));
      if (key !== undefined) taken.add(key);
      return { [ROW_KEY]: key, ...changes };
    });
  }
  if (faults.length > 0) throw unresolved(faults);
  return body;
}

/**
 * Keys of the stored lines of the record, by the property of the row that they are written to. A list that the mapping does not
 * read is always empty here, so its lines are not known.
 */
export async function knownLists(
  scope: Scope,
  write: WriteBody,
  { fields, written }: Pick<CompiledMapping, 'fields' | 'written'>,
): Promise<KnownLists> {
  if (write.op === 'create') return {};
  const lists = await linesIn(scope, write);
  return Object.fromEntries(
    lists.flatMap(({ field: { name }, held }) => {
      const path = written.find(({ field }) => field === name)?.path;
      const isKnown = path !== undefined && fields.includes(name);
      return isKnown ? [[path, held.map(({ _idValue }) => _idValue)] as const] : [];
    }),
  );
}

/**
 * Faults of lines that are certain before the write is carried out: an `id` that no line of the record has. Only this service
 * issues ids, so an unknown id stays unknown.
 */
export async function unknownLines(scope: Scope, write: WriteBody): Promise<ReferenceFault[]> {
  return (await linesIn(scope, write)).flatMap((lines) =>
    lines.given.flatMap((line, index) =>
      line.id !== undefined && keyOf(lines, new Map(), line) === undefined ? [fault(lines, index, 'missing')] : [],
    ),
  );
}

/** A line of a body that no line of the record is, and its place: the field and its index there. */
export interface NewLine {
  readonly field: string;
  readonly index: number;
  readonly entity: Entity;
  readonly line: Row;
}

/** The lines that a write adds: those that neither a key nor a number identifies among the lines that the record has here. */
export async function newLines(scope: Scope, write: WriteBody): Promise<NewLine[]> {
  const found = await Promise.all(
    (await linesIn(scope, write)).map(async (lines) => {
      const numbers = await heldNumbers(scope, lines);
      return lines.given.flatMap((line, index) => {
        const isIdentified = line.id !== undefined || line._idValue !== undefined;
        const isNew = !isIdentified && keyOf(lines, numbers, line) === undefined;
        return isNew ? [{ field: lines.field.name, index, entity: lines.entity, line }] : [];
      });
    }),
  );
  return found.flat();
}

/**
 * A value of a record in the form of a request that restores it later. Lines are identified by their number, since they may be
 * other records by then; any other value stays as it is. `mapping` is the mapping of the lines, which keep only the custom
 * fields that it can write.
 */
export async function linesToRestore(
  scope: Scope,
  field: Field | undefined,
  value: unknown,
  mapping?: CompiledMapping,
): Promise<unknown> {
  const entity = field?.holdsLines ? scope.entities[field.targets?.[0] ?? ''] : undefined;
  if (!entity || !Array.isArray(value)) return value;
  const ids = (value as readonly HeldLine[]).flatMap(({ id }) => id ?? []);
  const found = await documents(scope, entity, ids);
  const writable = entity.fields.filter((each) => each.writable && each.kind !== 'custom').map(({ name }) => name);
  const custom = await writableCustomFields(scope, entity.name, mapping);
  return ids.flatMap((id) => {
    const text = found.get(id);
    const line = text === undefined ? undefined : (JSON.parse(text) as Row);
    return line
      ? [{ ...picked(line, writable), ...(custom.length > 0 && { customFields: picked(customOf(line), custom) }) }]
      : [];
  });
}

function picked(values: Row, names: readonly string[]): Row {
  return Object.fromEntries(names.filter((name) => Object.hasOwn(values, name)).map((name) => [name, values[name]]));
}

async function linesIn(scope: Scope, { entity, op, targetId = null, body }: WriteBody): Promise<Lines[]> {
  if (op === 'action' || op === 'delete') return [];
  const fields = scope.entities[entity]?.fields.filter(
    ({ name, holdsLines }) => holdsLines && Array.isArray(body[name]),
  );
  if (!fields || fields.length === 0) return [];
  const record = op === 'create' ? undefined : await storedRecord(scope, entity, targetId);
  return fields.flatMap((field) => {
    const line = scope.entities[field.targets?.[0] ?? ''];
    const given = body[field.name] as readonly Row[];
    return line ? [{ field, entity: line, given, held: (record?.[field.name] ?? []) as readonly HeldLine[] }] : [];
  });
}

/** Keys of the lines of the record by their number. They are read only if a line of the body needs them. */
async function heldNumbers(scope: Scope, { entity, given, held }: Lines): Promise<ReadonlyMap<number, string>> {
  const isNeeded = given.some(
    ({ id, _idValue, line }) => id === undefined && _idValue === undefined && line !== undefined,
  );
  if (!isNeeded || held.length === 0) return new Map();
  const found = await documents(
    scope,
    entity,
    held.flatMap(({ id }) => id ?? []),
  );
  const lines = [...found.values()].map((text) => JSON.parse(text) as HeldLine & { readonly line?: number | null });
  return new Map(lines.flatMap(({ line, _idValue }) => (typeof line === 'number' ? [[line, _idValue] as const] : [])));
}

function keyOf({ held }: Lines, numbers: ReadonlyMap<number, string>, line: Row): string | undefined {
  const named: LineKey | undefined =
    line.id !== undefined ? 'id' : line._idValue !== undefined ? '_idValue' : undefined;
  if (named === undefined) return numbers.get(Number(line.line));
  const wanted = named === 'id' ? String(line.id).toLowerCase() : line._idValue;
  return held.find((each) => each[named] === wanted)?._idValue;
}

function fault({ field, entity, given }: Lines, index: number, problem: 'missing' | 'repeated'): ReferenceFault {
  const { id, _idValue, line } = given[index] ?? {};
  const key = Object.entries({ id, _idValue, line }).find(([, value]) => value !== undefined) ?? ['id', ''];
  const reference = {
    field: `${field.name}[${index}]`,
    targets: [entity.name],
    given: { [key[0]]: String(key[1]) },
  };
  const shown = `the \`${key[0]}\` "${String(key[1]).slice(0, 80).toWellFormed()}"`;
  const message =
    problem === 'missing'
      ? `The record has no ${spokenName(entity.name)} with ${shown}. Send the \`id\` of one of its lines; leave it out to add a line.`
      : `Another line of the list is the ${spokenName(entity.name)} with ${shown}. Send each line once.`;
  return { reference, message };
}
