import pg from 'pg';
import { expect, test } from 'vitest';
import { testDatabase } from '../../test/database.ts';
import { entities, gadget, maker } from '../../test/gadget.ts';
import { sessionOf } from '../access/scope.ts';
import { migrate, page, saveRecords } from '../index.ts';
import { migrations } from '../schema/migrations/index.ts';
import { COMMIT_JOINTLY } from '../sql/joint-commits.ts';
import { withConnection } from '../sql/own-connection.ts';
import { distribute } from './distribute.ts';
import { ON_COORDINATOR } from './placements.ts';

const { store, open, admin, freshScope, url } = await testDatabase();
const record = (key: string) => ({ _source: 's', _idValue: key, values: {}, references: {} });
const unchanged = { isDryRun: false, onTable: () => expect.fail('a table was distributed again') };

test('tables of connections are co-located; those of jobs stay on the coordinator', async () => {
  const { rows } = await admin.query<{ name: string; colocation: number; column: string }>(
    `select table_name::text as name, colocation_id as colocation, distribution_column as column
       from citus_tables where citus_table_type = 'distributed'`,
  );
  const names = rows.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['data.gadgets', 'data.makers', 'unified.changes', 'unified.raw_rows']));
  expect(names.filter((name) => Object.hasOwn(ON_COORDINATOR, name))).toEqual([]);
  expect(new Set(rows.map(({ colocation, column }) => `${colocation} ${column}`)).size).toBe(1);
});

test('the command can be repeated', async () => {
  const { due, done, cluster } = await distribute(store, unchanged);
  expect(due).toEqual([]);
  expect(done).toContain('data.gadgets');
  expect(cluster.workers.length).toBeGreaterThan(0);
});

test('a dry run changes nothing, and a running process prevents distribution', async () => {
  expect((await distribute(store, { ...unchanged, isDryRun: true })).due).toEqual([]);
  await admin.query('select pg_advisory_lock_shared(7246100514)');
  await expect(distribute(store, unchanged)).rejects.toThrow('A process of this installation is running.');
  await admin.query('select pg_advisory_unlock_shared(7246100514)');
});

test('a tenant sees its own rows only, on the workers as well', async () => {
  const [one, other] = [freshScope(), freshScope()];
  for (const scope of [one, other]) await saveRecords(scope, gadget, [record('1')]);
  const all = 'select distinct connection_id from data.gadgets';
  expect(await sessionOf(one).run(all)).toEqual([{ connection_id: one.connectionId }]);
  const stray = sessionOf(one).run(
    'insert into unified.links (connection_id, field, target, id) values ($1, $2, $1, $1)',
    [...[other.connectionId, 'f']],
  );
  await expect(stray).rejects.toThrow('row-level security');
});

/** What Citus sends to workers for a transaction that changes a table of the coordinator and a distributed one. */
async function commandsOf(first: string, connectionId: string): Promise<string> {
  const client = new pg.Client(url);
  const sent: string[] = [];
  client.on('notice', ({ message }) => sent.push(message ?? ''));
  await client.connect();
  await client.query('set citus.log_remote_commands to on');
  await client.query('begin');
  if (first !== '') await client.query(first);
  await client.query('insert into unified.write_queues (connection_id) values ($1)', [connectionId]);
  await client.query(`insert into unified.links values ($1, 'f', $1, $1)`, [connectionId]);
  await client.query('commit');
  await client.end();
  return sent.join('\n');
}

test('what a transaction changes on the coordinator and on a worker is committed in two phases', async () => {
  expect(await commandsOf(COMMIT_JOINTLY, freshScope().connectionId)).toContain('PREPARE TRANSACTION');
  expect(await commandsOf('', freshScope().connectionId)).not.toContain('PREPARE TRANSACTION');
});

test('a table and a column that an update adds are distributed', async () => {
  const scope = freshScope();
  const grown = { ...maker, fields: [...maker.fields, { ...maker.fields.at(-1), name: 'added' }] } as typeof maker;
  const next = await open({
    entities: { ...entities, Maker: grown, Widget: { ...maker, name: 'Widget', table: 'widgets' } },
  });
  await migrate(next);
  const { rows } = await admin.query(
    `select citus_table_type as type from citus_tables where table_name = 'data.widgets'::regclass`,
  );
  expect(rows).toEqual([{ type: 'distributed' }]);
  await saveRecords(next.scope(scope), grown, [record('1')]);
  expect((await page(next.scope(scope), grown, { conditions: [], sort: [], limit: 9 })).count).toBe(1);
});

test('Citus, which moves shards as the owner, moves them with their rows', async () => {
  const scope = freshScope();
  await saveRecords(scope, gadget, [record('1')]);
  await withConnection(url, async (client) => {
    const { rows } = await client.query<{ shard: number; from: number; to: number }>(
      `select shardid::int as shard, here.nodeid as from, there.nodeid as to
         from pg_dist_placement join pg_dist_node here using (groupid) join pg_dist_node there on there.nodeid <> here.nodeid
        where shardid = get_shard_id_for_distribution_column('data.gadgets', $1::uuid) and there.shouldhaveshards`,
      [scope.connectionId],
    );
    const { shard, from, to } = rows[0] ?? expect.fail('the cluster has one worker');
    await client.query(`select citus_move_shard_placement($1::int, $2::int, $3::int, 'block_writes')`, [
      shard,
      from,
      to,
    ]);
  });
  expect((await page(scope, gadget, { conditions: [], sort: [], limit: 9 })).count).toBe(1);
});

/** Whether row-level security hides rows from the owner of tables, on the coordinator or of shards on workers. */
async function isForced(): Promise<{ readonly tables: number; readonly shards: number }> {
  const FORCED = `select count(*) from pg_class join pg_namespace on pg_namespace.oid = relnamespace
    where nspname in ('unified', 'data') and relforcerowsecurity`;
  const { rows } = await admin.query<{ tables: number; shards: number }>(
    `select (${FORCED} and pg_class.oid in (select logicalrelid from pg_dist_partition))::int as tables,
            (select sum(result::int)::int from run_command_on_workers($1)) as shards`,
    [FORCED],
  );
  return rows[0] ?? expect.fail();
}

test('an update ends that row-level security hides rows from the owner in clusters of earlier releases', async () => {
  const { rows } = await admin.query<{ name: string }>(
    `select table_name::text as name from citus_tables where citus_table_type = 'distributed'`,
  );
  for (const { name } of rows) await admin.query(`alter table ${name} force row level security`);
  const before = await isForced();
  expect(before.tables).toBe(rows.length);
  expect(before.shards).toBeGreaterThan(rows.length);
  const { sql } = migrations.find(({ name }) => name === 'owner of distributed tables') ?? expect.fail();
  await withConnection(url, async (client) => {
    await client.query('begin');
    // As for all migrations.
    await client.query(`set local citus.multi_shard_modify_mode to 'sequential'`);
    await client.query(sql);
    await client.query('commit');
  });
  expect(await isForced()).toEqual({ tables: 0, shards: 0 });
});
