import type { Column, Discovery, StreamProbe } from '../driver.ts';
import {
  type CatalogPage,
  type CatalogRequest,
  pageOf,
  pageSize,
  type SystemCatalog,
  type SystemColumn,
  type SystemList,
  type SystemTable,
} from '../system-catalog.ts';
import { edmScalar } from './edm-scalar.ts';
import type { EdmProperty, EntityType, Metadata } from './metadata/metadata.ts';
import type { ODataSession } from './odata-session.ts';
import { page } from './pull.ts';
import { operationOf } from './row-actions.ts';
import { type Source, sourceOf } from './source.ts';

/** The structure of the service, as it describes itself. */
export function discovery(session: ODataSession): Discovery & Required<Pick<Discovery, 'catalog'>> {
  return {
    catalog: catalog(session),
    columns: async (stream) => columnsOf(await sourceOf(session, stream)),
    async probe(stream, { actions }): Promise<StreamProbe> {
      const source = await sourceOf(session, stream);
      const { rows } = await page(session, source, [], { stream, from: null, limit: 1 });
      const absent = (source.options.select ?? []).filter((name) => !source.set.type.properties.has(name));
      return {
        sample: rows[0] ?? null,
        problems: actions
          .filter((action) => !operationOf(source, action))
          .map(
            (action) =>
              `${action}: the service has no such operation for ${source.set.name}. Check "act" in the mapping`,
          ),
        notes:
          absent.length > 0
            ? [`The service has no ${absent.join(', ')} in ${source.set.name}. Check the option "select".`]
            : [],
      };
    },
  };
}

/** Properties that rows have, including expanded ones. */
function columnsOf({ set, stream, options }: Source): Column[] {
  const { select, expand = [] } = options;
  const read = [...set.type.properties.values()].filter(
    ({ name }) => !select || [...stream.key, stream.cursor, ...(options.changedBy ?? []), ...select].includes(name),
  );
  const expanded = [...new Set(expand.map((path) => path.split('/')[0] ?? ''))];
  return [
    ...read.map((property) => columnOf(property, set.type)),
    ...expanded.map((name): Column => {
      const isList = set.type.navigations.get(name)?.isCollection;
      return { name, type: isList ? 'list of entities' : 'entity' };
    }),
  ];
}

function columnOf(property: EdmProperty, { key }: EntityType): Column {
  const { name, type, isNullable, isUpdatable } = property;
  const found = edmScalar(property);
  return {
    name,
    type,
    ...(found && { scalar: found }),
    ...((!isUpdatable || key.includes(name)) && { isReadOnly: true as const }),
    ...(!isNullable && { isRequired: true as const }),
  };
}

/** Entity sets and their properties. Services count entities only by reading them, so none are estimated. */
function catalog(session: ODataSession): SystemCatalog {
  return {
    async tables(request) {
      const { sets } = await session.metadata();
      const tables = [...sets.values()].map(({ name, label, comment, type }): SystemTable => {
        return { name, label, comment, kind: 'table', estimatedRows: null, primaryKey: type.key };
      });
      return sortedPage(tables, request);
    },
    async columns(table, request) {
      const type = (await session.metadata()).sets.get(table)?.type;
      if (!type) return null;
      const columns = [...type.properties.values()].map((property): SystemColumn => {
        const { label, comment, isNullable, name } = property;
        const place = type.key.indexOf(name);
        const keyPosition = place < 0 ? null : place + 1;
        return { ...columnOf(property, type), label, comment, nullable: isNullable, keyPosition };
      });
      return sortedPage(columns, request);
    },
    lists: async (table) => listsOf(await session.metadata(), table),
    async optionsFor(table, columns) {
      const lists = listsOf(await session.metadata(), table).filter(({ name }) => columns.includes(name));
      return lists.length === 0 ? {} : { expand: lists.map(({ name }) => name) };
    },
  };
}

/** The navigations of a set that lead to lists, with the sets of their entities. */
function listsOf({ sets }: Metadata, table: string): SystemList[] {
  const lists = [...(sets.get(table)?.type.navigations.values() ?? [])].filter(({ isCollection }) => isCollection);
  return lists.map(({ name, target }) => {
    const containing = [...sets.values()].filter(({ type }) => type.name === target);
    return { name, tables: containing.map((set) => set.name) };
  });
}

function sortedPage<Item extends { readonly name: string }>(items: Item[], request: CatalogRequest): CatalogPage<Item> {
  const after = request.from === null ? null : String(request.from);
  const size = pageSize(request);
  const rest = items.filter(({ name }) => after === null || name > after);
  rest.sort((one, other) => (one.name < other.name ? -1 : 1));
  return pageOf(rest.slice(0, size + 1), size, ({ name }) => name);
}
