import type { CatalogPage, CatalogRequest, Json, SystemCatalog, SystemColumn } from '@unified/connectors';
import { didYouMean, Refusal } from '../command-line/usage.ts';

/** All columns of a table. Throws `Refusal` if the login can read no such table. */
export async function columnsOf(catalog: SystemCatalog, table: string): Promise<SystemColumn[]> {
  const first = await catalog.columns(table, { from: null });
  if (first === null) {
    const known = await everyItem((request) => catalog.tables(request));
    const meant = didYouMean(
      table,
      known.map(({ name }) => name),
    );
    throw new Refusal(
      `The login cannot read a table "${table}".${meant}`,
      'Leave the table out to list all of them. Names are case-sensitive.',
    );
  }
  const others = first.next === null ? [] : await everyItem((page) => readOn(catalog, table, page), first.next);
  return [...first.items, ...others];
}

async function readOn(
  catalog: SystemCatalog,
  table: string,
  request: CatalogRequest,
): Promise<CatalogPage<SystemColumn>> {
  return (await catalog.columns(table, request)) ?? { items: [], next: null };
}

/** The items of all pages. */
export async function everyItem<Item>(
  read: (request: CatalogRequest) => Promise<CatalogPage<Item>>,
  begin: Json | null = null,
): Promise<Item[]> {
  const items: Item[] = [];
  for (let from = begin, isFirst = true; isFirst || from !== null; isFirst = false) {
    const page = await read({ from });
    items.push(...page.items);
    from = page.next;
  }
  return items;
}
