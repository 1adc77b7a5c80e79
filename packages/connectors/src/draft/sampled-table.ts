import type { Column, Driver } from '../driver.ts';
import type { Platform, Stream } from '../platform.ts';
import type { SystemColumn } from '../system-catalog.ts';
import { SystemError } from '../system-error.ts';
import type { DraftedTable } from './draft-mapping.ts';
import { keyOfRows, listIn } from './sampled-list.ts';

/**
 * What to draft from in a system that does not list its tables: a stream of the platform, or the list at an address, such as
 * `/suppliers?limit=50`. Its columns are those of a sample of rows.
 *
 * @throws {SystemError} `rejected` if there is no list with rows, or if the platform has another stream with its name
 */
export async function sampledTable(platform: Platform, driver: Driver, name: string): Promise<DraftedTable> {
  const stream = platform.streams.find((each) => each.name === name) ?? (await streamAt(platform, driver, name));
  const columns = await driver.discover?.columns(stream);
  if (!columns) throw refused(`${name} has no rows, so its columns are not known`);
  return { name: stream.name, columns: columns.map((column) => systemColumn(column, stream.key)), stream };
}

function systemColumn(column: Column, key: readonly string[]): SystemColumn {
  const position = key.indexOf(column.name);
  return { ...column, label: null, nullable: true, comment: null, keyPosition: position < 0 ? null : position + 1 };
}

/** A stream that reads the list at an address. */
async function streamAt({ streams }: Platform, driver: Driver, address: string): Promise<Stream> {
  const send = driver.passthrough?.send;
  if (!address.startsWith('/') || !send) throw refused(`There is no stream "${address}"`);
  const { pathname, searchParams } = new URL(address, 'http://system.example');
  const name = nameOf(pathname);
  if (streams.some((each) => each.name === name))
    throw refused(`The platform already has a stream "${name}"`, `Name it instead of its address: ${name}`);
  const repeated = [...searchParams.keys()].find((each) => searchParams.getAll(each).length > 1);
  if (repeated !== undefined)
    throw refused(`${address} has several values of "${repeated}"`, 'Leave out all but one of them');
  const { status, body } = await send({ method: 'GET', path: pathname, query: Object.fromEntries(searchParams) });
  if (status >= 300) throw refused(`${address} returned HTTP status ${status}`);
  const list = listIn(body);
  if (!list) throw refused(`${address} returned no list of objects with rows`);
  const key = keyOfRows(list.rows);
  if (key === null) throw refused(`No property identifies the rows of ${address}`);
  const options = { list: { address, ...(list.path !== null && { rows: list.path }) } };
  return { name, key: [key], order: 0, deletes: 'diff', pageSize: 1_000, options };
}

const REMEDY = 'Name a stream of the platform, or the address of a list with rows, such as /suppliers';

function refused(words: string, remedy = REMEDY): SystemError {
  return new SystemError('rejected', words, { explanation: { remedy: `${remedy}.` } });
}

/** `/api/v2/purchase-orders.json` is purchase_orders. */
function nameOf(path: string): string {
  const last = path.replace(/\/+$/, '').split('/').at(-1) ?? '';
  return last.replace(/\.\w+$/, '').replaceAll(/[^A-Za-z0-9]+/g, '_');
}
