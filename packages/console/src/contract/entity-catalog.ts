import catalogFile from '../../generated/catalog.json';

/** One kind of record, as far as navigation needs it. */
export interface CatalogEntity {
  /** Name as in the document: `WorkOrder`. */
  readonly name: string;
  /** Path of its records: `work-orders`. */
  readonly collection: string;
  /** Name of the records in the plural: `Work Orders`. */
  readonly title: string;
  /** Writes that the document has: of `create`, `update`, `replace` and `delete`. */
  readonly operations: readonly string[];
  readonly actions: readonly string[];
}

export interface Catalog {
  /** Paths of the data API begin with it. */
  readonly prefix: string;
  /** Subjects in the order of the reference, with the names of their entities. */
  readonly groups: readonly { readonly name: string; readonly entities: readonly string[] }[];
  readonly entities: readonly CatalogEntity[];
  /** Kinds of events of webhooks. */
  readonly events: readonly string[];
}

/** All entities of the document. */
export const catalog: Catalog = catalogFile as Catalog;

const byName = new Map(catalog.entities.map((entity) => [entity.name, entity]));

/** An entity by its name, undefined if the document has none. */
export function catalogEntity(name: string): CatalogEntity | undefined {
  return byName.get(name);
}
