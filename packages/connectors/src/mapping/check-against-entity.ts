import { AVAILABLE_ACTIONS, type Entity, type Field, type FieldKind } from '@unified/contract';
import type { CompiledWords } from './compile.ts';
import type { MappingDefinition } from './definition.ts';
import { at, type Place, refuse, top } from './place.ts';
import type { Word, Yield } from './word.ts';

/** What a word may yield for each kind of field; `any` fits everything that is not a reference. */
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
};

/** Refuses a mapping that the document contradicts: unknown fields and actions, wrong kinds, values of no enum. */
export function checkAgainstEntity(
  definition: MappingDefinition,
  words: CompiledWords,
  entity: Entity,
  file: string,
): void {
  const place = top(file);
  for (const [name, word] of words.fields) {
    const spot = at(at(place, 'fields'), name);
    const field = entity.field[name];
    if (!field) refuse(spot, `${entity.name} has no such field; it has ${namesOf(entity.fields)}`);
    if (name === AVAILABLE_ACTIONS) refuse(spot, 'it follows from statusCategory and the actions; remove it');
    checkField(field, word, spot);
  }
  const known = entity.actions.map(({ name }) => name);
  for (const name of Object.keys(definition.actions ?? {})) {
    if (!known.includes(name))
      refuse(at(at(place, 'actions'), name), `${entity.name} has no such action; it has ${known.join(', ')}`);
  }
}

function checkField(field: Field, { yields, outcomes, read, parts = [] }: Word, place: Place): void {
  if (!read) return;
  const { kind, values, targets, fields = [] } = field;
  if (!fitting[kind].includes(yields)) refuse(place, `the field is ${kind}, the word yields ${yields}`);
  const allowed = kind === 'enum' ? values : kind === 'relation' || kind === 'relations' ? targets : undefined;
  const strange = allowed && outcomes?.filter((outcome) => !allowed.includes(String(outcome)));
  if (strange?.length) refuse(place, `${strange.join(', ')} is not one of ${allowed?.join(', ')}`);
  for (const [name, word] of parts) checkPart(fields, name, word, place);
}

function checkPart(fields: readonly Field[], name: string, word: Word, place: Place): void {
  const field = fields.find((each) => each.name === name);
  if (!field) refuse(at(place, name), `its objects have no such property; they have ${namesOf(fields)}`);
  checkField(field, word, at(place, name));
}

function namesOf(fields: readonly Field[]): string {
  return fields.map(({ name }) => name).join(', ');
}
