import { AVAILABLE_ACTIONS, type Entity, type Field, type FieldKind, nearest } from '@unified/contract';
import { compileAccept } from './accept.ts';
import type { CompiledWords } from './compile.ts';
import type { CustomFields } from './custom-fields.ts';
import type { MappingDefinition, Scalar } from './definition.ts';
import { together } from './definition-error.ts';
import { namesOfPath, segments } from './path.ts';
import type { Problems } from './problem.ts';
import { at, refuse, type SchemaPath, top } from './schema-path.ts';
import type { SourcePath } from './source-paths.ts';
import type { Word, Yield } from './word.ts';

/** What a word may return for each kind of field; `any` matches everything that is not a reference. */
const fitting: Readonly<Record<FieldKind, readonly Yield[]>> = {
  text: ['any', 'text'],
  number: ['any', 'number'],
  integer: ['any', 'number'],
  boolean: ['any', 'boolean'],
  date: ['any', 'date'],
  datetime: ['any', 'datetime'],
  enum: ['any', 'text'],
  relation: ['reference'],
  relations: ['references'],
  texts: ['any', 'texts'],
  objects: ['any', 'objects'],
  object: ['any', 'object'],
  custom: [],
};

/**
 * Refuses custom fields that are listed twice, that cannot be indexed because their type is not defined, or that cannot be
 * written because another word writes the column.
 */
export function checkCustomFields(fields: CustomFields, written: readonly SourcePath[], file: string): void {
  const { named, writable, canWrite, includesAll } = fields;
  const place = at(top(file), 'customFields');
  const names = named.map(({ name }) => name);
  for (const [index, { name, path, type, isIndexed }] of named.entries()) {
    if (path !== undefined) segments(path, place);
    if (names.indexOf(name) < index) refuse(place, `"${name}" is listed twice`);
    if (isIndexed && type === undefined) refuse(place, `"${name}" is indexed and needs a \`type\``);
    if (isIndexed && type === 'boolean') refuse(place, `"${name}" is boolean and cannot be indexed`);
  }
  for (const name of writable === 'all' ? [] : writable) {
    const other = written.find(({ path }) => namesOfPath(path)[0] === name);
    if (other) refuse(place, `"${name}" is writable as \`${other.field}\` already`);
    if (!includesAll && !names.includes(name)) refuse(place, `"${name}" is writable, but not included`);
    if (named.some((field) => field.name === name && field.path !== undefined))
      refuse(place, `"${name}" has a \`path\`, so it cannot be written`);
    if (!canWrite(name)) refuse(place, `"${name}" cannot be a custom field`);
  }
}

/** Refuses a mapping that contradicts the document: unknown fields and actions, wrong kinds, values outside of enums. */
export function checkAgainstEntity(
  definition: MappingDefinition,
  words: CompiledWords,
  entity: Entity,
  file: string,
): void {
  const place = top(file);
  const known = entity.actions.map(({ name }) => name);
  together([
    ...[...words.fields].map(
      ([name, word]) =>
        () =>
          checkNamed(entity, name, word, at(at(place, 'fields'), name)),
    ),
    () => checkCreate(definition, words, entity, place),
    ...Object.keys(definition.actions ?? {}).map((name) => () => {
      const spot = at(at(place, 'actions'), name);
      if (!known.includes(name)) refuse(spot, `${entity.name} has no such action${listed(name, known)}`);
    }),
  ]);
}

/**
 * Refuses creates that cannot store a field that each of them contains, such as the lines of an order: the system would get a
 * record without it, and clients that send only the fields that capabilities list as writable could not create one.
 */
function checkCreate(
  { writes = [] }: MappingDefinition,
  words: CompiledWords,
  entity: Entity,
  place: SchemaPath,
): void {
  if (!writes.includes('create')) return;
  const lost = entity.requiredOnCreate.filter((name) => !words.fields.get(name)?.write);
  if (lost.length === 0) return;
  const fields = lost.join(' and ');
  refuse(
    at(place, 'writes'),
    `every create contains ${fields}, which cannot be written; map it for writing, or remove create`,
  );
}

function checkNamed(entity: Entity, name: string, word: Word, spot: SchemaPath): void {
  const field = entity.field[name];
  if (!field) refuse(spot, `${entity.name} has no such field${existing(name, entity.fields)}`);
  if (name === AVAILABLE_ACTIONS) refuse(spot, 'it is derived from statusCategory and the actions; remove it');
  if (field.kind === 'custom') refuse(spot, 'use the part `customFields` of the mapping instead of a field');
  checkField(field, word, spot);
}

function checkField(field: Field, { yields, outcomes, read, parts = [] }: Word, place: SchemaPath): void {
  if (!read) return;
  const { kind, values, targets, fields = [] } = field;
  if (!fitting[kind].includes(yields)) refuse(place, `the field is ${kind}, the expression yields ${yields}`);
  const allowed = kind === 'enum' ? values : kind === 'relation' || kind === 'relations' ? targets : undefined;
  const strange = allowed && outcomes?.filter((outcome) => !allowed.includes(String(outcome)));
  if (strange?.length) refuse(place, `${strange.join(', ')} is not one of ${allowed?.join(', ')}`);
  if (outcomes && yields === 'any') checkOutcomes(field, outcomes, place);
  for (const [name, word] of parts) checkPart(fields, name, word, place);
}

/** Refuses values that a word always returns and the document forbids, such as a constant that is too long. */
function checkOutcomes(field: Field, outcomes: readonly Scalar[], place: SchemaPath): void {
  const accept = compileAccept(field);
  for (const outcome of outcomes) {
    const problems: Problems = [];
    accept(outcome, problems);
    for (const { message } of problems) refuse(place, `${JSON.stringify(outcome)}: ${message}`);
  }
}

function checkPart(fields: readonly Field[], name: string, word: Word, place: SchemaPath): void {
  const field = fields.find((each) => each.name === name);
  if (!field) refuse(at(place, name), `its objects have no such property${existing(name, fields, 'they have')}`);
  checkField(field, word, at(place, name));
}

function existing(name: string, fields: readonly Field[], words?: string): string {
  return listed(
    name,
    fields.map((field) => field.name),
    words,
  );
}

/** The end of a sentence about an unknown name: the one that was most likely meant, and those that exist. */
function listed(name: string, known: readonly string[], words = 'it has'): string {
  if (known.length === 0) return `; ${words} none`;
  const meant = nearest(name, known);
  return `${meant === undefined ? '' : ` (did you mean "${meant}"?)`}; ${words} ${known.join(', ')}`;
}
