import type { Change, Client } from '@unified/sdk';

/** Changes of the connection that are searched for those of one record. */
const WINDOW = 20_000;
const PER_PAGE = 500;
const MOST_PAGES = 10;

/**
 * The latest changes of a record, newest first. The log of a connection cannot be filtered by record, so its newest part is
 * read.
 */
export async function changesOfRecord(
  client: Client,
  { entity, recordId }: { entity: string; recordId: string },
): Promise<Change[]> {
  const { meta } = await client.changes.list({ cursor: 'latest', per_page: 1 });
  const latest = Number(meta.next_cursor);
  const cursor = String(Math.max(0, latest - WINDOW));
  const found: Change[] = [];
  let pages = 0;
  const list = client.changes.list({ cursor, entity: [entity as 'Vendor'], per_page: PER_PAGE });
  for await (const { data } of list.pages()) {
    found.push(...(data as Change[]).filter(({ id }) => id === recordId));
    if (++pages === MOST_PAGES) break;
  }
  return found.toReversed();
}
