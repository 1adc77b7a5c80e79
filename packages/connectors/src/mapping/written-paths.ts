import type { Entity, Field } from '@unified/contract';
import type { CompiledWords } from './compile.ts';
import type { MappingDefinition } from './definition.ts';
import type { SourcePath } from './source-paths.ts';

/** Every path that a create or an update can set: through the fields that requests can contain, `onCreate` and `onWrite`. */
export function writtenPaths(
  { writes = [], onCreate = {}, onWrite = {} }: MappingDefinition,
  { fields }: CompiledWords,
  entity: Entity | undefined,
): SourcePath[] {
  if (writes.every((operation) => operation === 'delete')) return [];
  const named = [...fields].flatMap(([name, { written }]) =>
    written.map(({ below, path }) => ({ field: `${name}${below}`, path })),
  );
  const added = writes.includes('create') ? Object.keys(onCreate) : [];
  return [
    ...named.filter(({ field }) => !entity || isWritable(entity.fields, field.split('.'))),
    ...added.map((path) => ({ field: 'onCreate', path })),
    ...Object.keys(onWrite).map((path) => ({ field: 'onWrite', path })),
  ];
}

/** Whether requests can contain a property; the lines of a list of relations have none that the field knows. */
function isWritable(fields: readonly Field[], [name, ...below]: readonly string[]): boolean {
  const field = fields.find((each) => each.name === name);
  return field === undefined || (field.writable && isWritable(field.fields ?? [], below));
}
