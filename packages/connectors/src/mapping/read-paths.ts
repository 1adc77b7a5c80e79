import type { CompiledWords } from './compile.ts';
import { conditionPaths } from './compile-condition.ts';
import type { MappingDefinition } from './definition.ts';
import { type SourcePath, sourcePaths } from './source-paths.ts';
import type { Words } from './word.ts';

/** Every path that is read from a row, by field or `where`. */
export function readPaths({ where = [] }: Pick<MappingDefinition, 'where'>, words: CompiledWords): SourcePath[] {
  return [
    ...namedParts(words).flatMap(([name, word]) => (word.read ? sourcePaths(name, word) : [])),
    ...[where]
      .flat()
      .flatMap(conditionPaths)
      .map((path) => ({ field: 'where', path })),
  ];
}

/** The words of a mapping that read a part of a record, by the name of the part. */
export function namedParts({ fields, display, created, updated, deleted }: CompiledWords): Words {
  const others = { _displayValue: display, _createdAt: created, _updatedAt: updated, _deletedAt: deleted };
  return [...fields, ...Object.entries(others).flatMap(([name, word]) => (word ? [[name, word] as const] : []))];
}
