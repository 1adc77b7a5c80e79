import { type Entity, type Field, type FieldKind, relatedFields } from '@unified/contract';

/** Kinds of fields for filters. Fields that are stored only in the document cannot be filtered by. */
const KINDS: Readonly<Record<FieldKind, string | undefined>> = {
  text: 'text',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  date: 'date',
  datetime: 'date',
  enum: 'enum',
  relation: 'relation',
  relations: 'relation',
  texts: 'texts',
  objects: undefined,
  object: undefined,
  custom: undefined,
};

/** Each relation has its own fields that lists can be filtered by. */
function relationKind(field: Field): string {
  const related = relatedFields(field);
  if (related.has('number')) return 'numbered';
  return related.has('name') ? 'named' : 'relation';
}

/**
 * Source of two types. By entity, they contain each field that lists can be filtered by, with its kind, and each relation, with
 * the entities that it can point to.
 */
export function fieldsSource(entities: readonly Entity[]): string {
  return `// Generated from the contract by the build of this package. Do not edit.

export interface Fields {
${entities.map(({ name, fields }) => row(name, fields.flatMap(member))).join('')}}

export interface Relations {
${entities.map(({ name, fields }) => row(name, fields.flatMap(relation))).join('')}}
`;
}

function row(entity: string, members: readonly string[]): string {
  return `  ${entity}: { ${members.join('; ')} };\n`;
}

function relation({ name, kind, targets = [] }: Field): string[] {
  if (kind !== 'relation' && kind !== 'relations') return [];
  return [`${name}: ${targets.map((target) => `'${target}'`).join(' | ')}`];
}

function member(field: Field): string[] {
  const { name, kind } = field;
  const known = name === 'id' ? 'id' : KINDS[kind] === 'relation' ? relationKind(field) : KINDS[kind];
  return known === undefined ? [] : [`${/^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name)}: '${known}'`];
}
