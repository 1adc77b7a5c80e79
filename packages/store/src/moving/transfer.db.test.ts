import type pg from 'pg';
import { afterAll, expect, test } from 'vitest';
import { gadgetTables, testDatabase } from '../../test/database.ts';
import { gadget } from '../../test/gadget.ts';
import { startPrepared } from '../../test/prepared-server.ts';
import { saveRecords } from '../index.ts';
import { withConnection } from '../sql/own-connection.ts';
import { installationTables } from './installation-tables.ts';
import { transfer } from './transfer.ts';

const { admin: source, freshScope } = await testDatabase();
const other = await startPrepared(gadgetTables);
afterAll(() => other.remove());

const forcedTables = async (client: pg.Client) =>
  (await installationTables(client)).filter(({ isForced }) => isForced).map(({ name }) => name);

const DISABLED = `select from pg_trigger where tgrelid::regclass::text like 'unified.%' and not tgisinternal and tgenabled = 'D'`;

test('row-level security and triggers of the target stay as they were, whatever those of the source are', async () => {
  await saveRecords(freshScope(), gadget, [{ _source: 's', _idValue: '1', values: {}, references: {} }]);
  await source.query('alter table data.makers no force row level security');
  // A trigger of the service would write another value.
  await source.query('update unified.change_log_bounds set "lastAt" = null');
  await withConnection(other.superuserUrl('unified'), async (target) => {
    await target.query('alter table data.gadgets no force row level security');
    const before = await forcedTables(target);
    expect(before).toContain('data.makers');
    expect(before).not.toContain('data.gadgets');
    const { isCopied, tables } = await transfer({ source, target }, {});
    expect(isCopied).toBe(true);
    for (const table of ['data.gadgets', 'unified.change_cursors', 'unified.change_log_bounds'])
      expect(tables).toContainEqual(expect.objectContaining({ table, rows: 1 }));
    expect((await target.query(DISABLED)).rowCount).toBe(0);
    expect(await forcedTables(target)).toEqual(before);
    expect((await transfer({ source, target }, {})).isCopied).toBe(false);
    expect(await forcedTables(target)).toEqual(before);
  });
});
