import { nearest } from '@unified/contract';
import type { Column } from '../driver.ts';
import type { CompiledMapping } from './mapping.ts';
import type { SourcePath } from './source-paths.ts';

/** A path of a mapping that leads to no column of its stream. */
export interface MissingColumn extends SourcePath {
  readonly entity: string;
  /** The column that is probably meant. */
  readonly nearest: string | null;
  /** What is wrong and what to do, in one line. */
  readonly message: string;
}

/** The paths of a mapping that begin with none of the columns (see `StreamProbe.columns`), in the order of the mapping. */
export function missingColumns(
  { entity, stream, paths }: Pick<CompiledMapping, 'entity' | 'stream' | 'paths'>,
  columns: readonly Column[],
): MissingColumn[] {
  const names = columns.map(({ name }) => name);
  const known = new Set(names);
  return paths.flatMap(({ field, path }) => {
    const column = path.split('.')[0] ?? '';
    if (known.has(column)) return [];
    const meant = nearest(column, names) ?? null;
    const remedy = meant === null ? 'Correct the mapping.' : `Did you mean "${meant}"?`;
    return [{ entity, field, path, nearest: meant, message: `${stream} has no column "${column}". ${remedy}` }];
  });
}
