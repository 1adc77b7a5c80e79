import { scalar } from '../scalar-type.ts';
import { type CatalogPage, pageOf, pageSize, type SystemCatalog, type SystemColumn } from '../system-catalog.ts';
import { SystemError } from '../system-error.ts';
import type { Cell } from './file-record.ts';
import { decimalSeparatorOf, sampledType } from './sampled-type.ts';
import type { StreamFiles } from './stream-files.ts';

const KNOWN = /\.(csv|tsv|txt|xlsx|xlsm)$/i;

/** Numbers in a name, such as the day of an export. */
const NUMBERS = /\d+(?:[-_.]?\d+)*/;

/** The files of a folder as tables. Files whose names differ only in a number are one table, with the name of their pattern. */
export function fileCatalog(files: StreamFiles): SystemCatalog {
  return {
    async tables(request) {
      const names = tableNames(await files.names()).map((name) => ({
        ...{ name, label: null, kind: 'table' as const, estimatedRows: null, comment: null, primaryKey: [] },
      }));
      const start = Number(request.from ?? 0);
      return numberedPage(names, start, pageSize(request));
    },
    async options(table) {
      const { header } = await files.sample(table);
      return header === 1 ? {} : { header };
    },
    async columns(table, request) {
      try {
        const { names, rows } = await files.sample(table);
        const cells = names.map((name) => rows.map((row) => (row[name] ?? null) as Cell));
        const separator = decimalSeparatorOf(cells);
        return numberedPage(
          names.map((name, index) => columnOf(name, cells[index] ?? [], separator)),
          Number(request.from ?? 0),
          pageSize(request),
        );
      } catch (error) {
        if (error instanceof SystemError && error.kind === 'unavailable' && !(await exists(files, table))) return null;
        throw error;
      }
    },
  };
}

async function exists(files: StreamFiles, table: string): Promise<boolean> {
  return tableNames(await files.names()).includes(table);
}

function tableNames(names: readonly string[]): string[] {
  const known = names.filter((name) => KNOWN.test(name));
  const patternOf = (name: string) => name.replace(NUMBERS, '*');
  const groups = Map.groupBy(known, patternOf);
  return [...groups].map(([pattern, [first = '', ...others]]) => (others.length > 0 ? pattern : first));
}

function numberedPage<Item>(all: readonly Item[], start: number, size: number): CatalogPage<Item> {
  return pageOf(all.slice(start, start + size + 1), size, () => start + size);
}

function columnOf(name: string, cells: readonly Cell[], separator: '.' | ',' | undefined): SystemColumn {
  const { type, form } = sampledType(cells, separator);
  return {
    ...{ name, type: form?.date ?? type, scalar: scalar(type), ...(form && { form }) },
    ...{ label: null, nullable: true, comment: null, keyPosition: null },
  };
}
