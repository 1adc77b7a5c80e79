import type { Entity, Field, FieldKind } from '@unified/contract';

/** Kinds of fields as filters tell them apart; those that the document alone holds cannot be filtered by. */
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
};

/** Source of the type that names, by entity, each field that lists can be filtered by, and its kind. */
export function fieldsSource(entities: readonly Entity[]): string {
  const rows = entities.map(({ name, fields }) => `  ${name}: { ${fields.flatMap(member).join('; ')} };\n`);
  return `// Made from the contract by the build of this package. Do not edit.\n\nexport interface Fields {\n${rows.join('')}}\n`;
}

function member({ name, kind }: Field): string[] {
  const known = name === 'id' ? 'id' : KINDS[kind];
  return known === undefined ? [] : [`${/^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name)}: '${known}'`];
}
