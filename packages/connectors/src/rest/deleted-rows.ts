import type { Row } from '../driver.ts';
import type { Json } from '../json.ts';
import type { Stream } from '../platform.ts';
import { keyOf } from '../row-key.ts';
import { filled, urlOf } from './call-url.ts';
import { changedSince } from './changed-since.ts';
import { rowsAt } from './json-body.ts';
import { counts } from './lists-in-rows.ts';
import { optionsOf } from './options.ts';
import { valuesOfParents } from './parent-values.ts';
import type { RestClient } from './rest-client.ts';

/** The list in which a system reports rows that were deleted. */
export interface DeletedOptions {
  readonly address: string;
  readonly parameters: Readonly<Record<string, string | number | boolean>>;
  readonly rows: string;
  readonly only?: Readonly<Record<string, readonly unknown[]>>;
  readonly days: number;
}

const DAY_MS = 86_400_000;

/**
 * Keys of the rows that the system reports as deleted since a mark. None if the mark is older than what it reports, or the stream
 * states no such list: full passes find them.
 */
export async function deletedRows(
  client: RestClient,
  stream: Stream,
  { since, signal }: { readonly since: Json; readonly signal?: AbortSignal },
): Promise<readonly string[]> {
  const { deleted, changes, parents } = optionsOf(stream);
  if (!deleted || Date.now() - Date.parse(String(since)) > deleted.days * DAY_MS) return [];
  const time = changedSince({ parameter: 'since', ...(changes?.format && { format: changes.format }) }, since);
  const keys: string[] = [];
  for (const names of parents?.of ? valuesOfParents(parents) : [{}]) {
    const parameters = Object.fromEntries(
      Object.entries(deleted.parameters).map(([name, value]) => [
        name,
        filled(String(value), { ...time, ...names }, String),
      ]),
    );
    const response = await client.call({ url: urlOf(client.base, deleted.address, names, parameters), signal });
    const rows: readonly Row[] = rowsAt(client.json(response), filled(deleted.rows, names, String), true);
    keys.push(...rows.filter((row) => counts(row, deleted)).map((row) => keyOf({ ...row, ...names }, stream.key)));
  }
  return keys;
}
