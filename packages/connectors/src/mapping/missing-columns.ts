import { nearest } from '@unified/contract';
import type { Column, WrittenTables } from '../driver.ts';
import type { CompiledMapping } from './mapping.ts';
import { namesOfPath } from './path.ts';
import type { SourcePath } from './source-paths.ts';

/** A path of a mapping without a column in its stream. */
export interface MissingColumn extends SourcePath {
  readonly entity: string;
  /** `read` if reading leaves the field empty; `write` if a write of it (for `actions.<name>`, the action) fails. */
  readonly direction: 'read' | 'write';
  /** The most similar column. */
  readonly nearest: string | null;
  /** What is wrong and what to do, in one line. */
  readonly message: string;
}

type Paths = Pick<CompiledMapping, 'entity' | 'stream' | 'paths' | 'written' | 'actions'>;

/**
 * The paths of a mapping that begin with none of the columns (see `Discovery.columns`), in the order of the mapping; then
 * those that writes and actions set and that begin with no column of the tables (see `Discovery.written`), unless they
 * were named already.
 */
export function missingColumns(
  mapping: Paths,
  columns: readonly Column[],
  tables: WrittenTables | null = null,
): MissingColumn[] {
  const { entity, stream } = mapping;
  const names = columns.map(({ name }) => name);
  const read = mapping.paths.flatMap(({ field, path }): MissingColumn[] => {
    const [column = ''] = namesOfPath(path);
    if (names.includes(column)) return [];
    const message = `${stream} has no column "${column}".`;
    return [{ entity, field, path, direction: 'read', ...meant(column, names, message) }];
  });
  const known = new Set(read.map(({ field, path }) => JSON.stringify([field, path])));
  const written = tables === null ? [] : missingTargets(mapping, tables);
  return [...read, ...written.filter(({ field, path }) => !known.has(JSON.stringify([field, path])))];
}

function missingTargets(mapping: Paths, tables: WrittenTables): MissingColumn[] {
  const { entity } = mapping;
  return [...mapping.written, ...pathsOfActions(mapping, tables)].flatMap(({ field, path }): MissingColumn[] => {
    const [name = '', part] = namesOfPath(path);
    const list = tables.lists.get(name);
    if (list && part === undefined) return [];
    const [{ table, columns }, column] = list && part !== undefined ? [list, part] : [tables, name];
    if (columns.includes(column)) return [];
    const message = `${table} has no column "${column}", which writes set.`;
    return [{ entity, field, path, direction: 'write', ...meant(column, columns, message) }];
  });
}

/** The paths set by those actions that set columns. */
function pathsOfActions({ actions }: Paths, tables: WrittenTables): SourcePath[] {
  return Object.entries(actions).flatMap(([name, { acts, written }]) =>
    acts.some((act) => tables.actions.has(act)) ? written.map((path) => ({ field: `actions.${name}`, path })) : [],
  );
}

function meant(column: string, names: readonly string[], problem: string): Pick<MissingColumn, 'nearest' | 'message'> {
  const found = nearest(column, names) ?? null;
  const remedy = found === null ? 'Correct the mapping.' : `Did you mean "${found}"?`;
  return { nearest: found, message: `${problem} ${remedy}` };
}
