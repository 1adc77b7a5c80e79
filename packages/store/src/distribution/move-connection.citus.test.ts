import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { testDatabase } from '../../test/database.ts';
import { gadget } from '../../test/gadget.ts';
import { type Scope, saveRecords } from '../index.ts';
import { withConnection } from '../sql/own-connection.ts';
import { connectionPlace, nodeUses } from './connection-place.ts';
import { leftoversOf } from './leftovers.ts';
import { MOVING, moveConnection } from './move-connection.ts';

const { store, admin, freshScope, url } = await testDatabase();
const KILLS = 20;
const SEED = Number(process.env.SEED ?? Date.now() % 1_000_000);
const PROCESS = fileURLToPath(new URL('../../test/moving-process.ts', import.meta.url));

const quiet = { blockWrites: false, onStep: () => {}, onCopied: () => {} };
const record = (key: string) => ({ _source: 's', _idValue: key, values: { name: key }, references: {} });
const keysOf = (from: string, count: number) => Array.from({ length: count }, (_, n) => `${from}-${n}`);
const filled = async () => {
  const scope = freshScope();
  await saveRecords(scope, gadget, keysOf('kept', 50).map(record));
  return scope;
};
const nodeOf = async ({ connectionId }: Scope) => (await connectionPlace(store, connectionId)).node.name;
const otherNode = async (scope: Scope) => {
  const here = await nodeOf(scope);
  return (await nodeUses(store)).find(({ name }) => name !== here)?.name ?? expect.fail('the cluster has one worker');
};

/** A number and a hash of all rows of other connections. */
async function hashWithout({ connectionId }: Scope): Promise<unknown> {
  const hashes = ['data.gadgets', 'unified.changes'].map((table) =>
    admin.query(
      `select count(*) as rows, sum(hashtextextended(t::text, 0)) as hash from ${table} t where connection_id <> $1`,
      [connectionId],
    ),
  );
  return (await Promise.all(hashes)).map(({ rows }) => rows[0]);
}

async function storedKeys({ connectionId }: Scope): Promise<string[]> {
  const { rows } = await admin.query<{ key: string }>(
    `select "_idValue" as key from data.gadgets where connection_id = $1 order by 1`,
    [connectionId],
  );
  return rows.map(({ key }) => key);
}

test('a connection that is not known to the cluster, an unknown worker and a second move are refused', async () => {
  const scope = await filled();
  const { connectionId } = scope;
  await expect(moveConnection(store, { ...quiet, connectionId, to: 'nowhere:1' })).rejects.toMatchObject({
    message: 'The cluster has no worker "nowhere:1".',
    remedy: expect.stringContaining(await nodeOf(scope)),
  });
  await admin.query('select pg_advisory_lock($1)', [MOVING]);
  const second = moveConnection(store, { ...quiet, connectionId, to: await otherNode(scope) });
  await expect(second).rejects.toThrow('Another move is under way.');
  await admin.query('select pg_advisory_unlock($1)', [MOVING]);
  const there = await nodeOf(scope);
  expect(await moveConnection(store, { ...quiet, connectionId, to: there })).toMatchObject({
    isMoved: false,
    to: there,
  });
});

test('only what a move has left is reported as left, not the tables of a day', async () => {
  expect(await withConnection(url, leftoversOf)).toEqual([]);
  await withConnection(url, async (client) => {
    await client.query('create table unified.kept_20261127 (id int)');
    await client.query(`select * from run_command_on_workers('create table unified.links_999999 (id int)')`);
  });
  const found = await withConnection(url, leftoversOf);
  expect(new Set(found.map(({ what }) => what))).toEqual(new Set(['table unified.links_999999']));
  await withConnection(url, async (client) => {
    await client.query(`select * from run_command_on_workers('drop table unified.links_999999')`);
  });
});

test('writes can be blocked instead of replicated', async () => {
  const scope = await filled();
  const [before, to] = [await hashWithout(scope), await otherNode(scope)];
  const moved = await moveConnection(store, { ...quiet, connectionId: scope.connectionId, to, blockWrites: true });
  expect(moved).toMatchObject({ isMoved: true, to, leftovers: [], pause: { refused: 0 } });
  expect([await nodeOf(scope), await storedKeys(scope)]).toEqual([to, keysOf('kept', 50).toSorted()]);
  expect(await hashWithout(scope)).toEqual(before);
});

/** Starts the move in a process of its own. */
function startMove({ connectionId }: Scope, to: string) {
  const child = spawn(process.execPath, [PROCESS, url, connectionId, to], { stdio: ['ignore', 'pipe', 'pipe'] });
  const outcome = Promise.all([once(child, 'close'), text(child.stdout), text(child.stderr)]);
  return {
    kill: () => child.kill('SIGKILL'),
    ended: outcome.then(([[code], stdout, stderr]) => ({ code: code as number | null, stdout, stderr })),
  };
}

/** Saves records one after another until `ended`; each is repeated until it is stored. Returns their keys. */
async function keepSaving(scope: Scope, prefix: string, ended: Promise<unknown>) {
  let isEnded = false;
  const end = ended.finally(() => {
    isEnded = true;
  });
  const keys: string[] = [];
  let failures = 0;
  while (!isEnded) {
    const key = `${prefix}-${keys.length}`;
    const isSaved = await saveRecords(scope, gadget, [record(key)]).then(
      () => true,
      () => false,
    );
    if (isSaved) keys.push(key);
    else failures += 1;
    await Promise.race([end, pause(50)]);
  }
  return { keys, failures };
}

const ON_WORKERS = `select count(pg_terminate_backend(pid)) from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid() and (application_name like 'citus%' or backend_type like 'logical%' or backend_type = 'walsender')`;

/** Ends the command, its backend, or what it does on the workers. */
const victims: readonly { name: string; end(child: ReturnType<typeof startMove>): Promise<unknown> }[] = [
  { name: 'command', end: async (child) => child.kill() },
  {
    name: 'backend',
    end: () =>
      admin.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'unified move' and datname = current_database()`,
      ),
  },
  { name: 'workers', end: () => admin.query('select * from run_command_on_workers($1)', [ON_WORKERS]) },
];

/** Numbers from 0 to 1 that follow from the seed. */
function* randomNumbers(seed: number): Generator<number, never> {
  for (let state = seed >>> 0; ; ) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    yield state / 2 ** 32;
  }
}

test(`a move that is killed at ${KILLS} random points is completed by the next one (SEED=${SEED})`, {
  timeout: 2_400_000,
}, async () => {
  const random = randomNumbers(SEED);
  await Promise.all([filled(), filled(), filled()]);
  const first = await filled();
  const began = performance.now();
  const complete = await startMove(first, await otherNode(first)).ended;
  expect(complete).toMatchObject({ code: 0, stderr: '' });
  const duration = performance.now() - began;
  let scope = first;
  for (let kill = 0; kill < KILLS; kill += 1) {
    // Every second connection shares its shard with others, which a move divides.
    if (kill % 2 === 0) scope = await filled();
    const [to, before, stored] = [await otherNode(scope), await hashWithout(scope), await storedKeys(scope)];
    const victim = victims[Math.floor(random.next().value * victims.length)] ?? expect.fail();
    const delay = random.next().value * duration;
    const work = async () => {
      const child = startMove(scope, to);
      await Promise.race([pause(delay), child.ended]);
      await victim.end(child);
      const killed = await child.ended;
      return { killed, again: await startMove(scope, to).ended };
    };
    const working = work();
    const [{ killed, again }, { keys, failures }] = await Promise.all([
      working,
      keepSaving(scope, `saved${kill}`, working),
    ]);
    const outcome = killed.code === 0 ? 'was complete' : 'ended';
    process.stdout.write(
      `kill ${kill + 1}: ${victim.name} after ${Math.round(delay)} of ${Math.round(duration)} ms: ${outcome}; then ${again.stdout}; ${keys.length} saved, ${failures} repeated\n`,
    );
    expect(again).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(again.stdout).leftovers).toEqual([]);
    expect(await nodeOf(scope)).toBe(to);
    expect(await storedKeys(scope)).toEqual([...stored, ...keys].toSorted());
    expect(await hashWithout(scope)).toEqual(before);
    const { rows } = await admin.query('select count(*)::int as n from unified.changes where connection_id = $1', [
      scope.connectionId,
    ]);
    expect(rows).toEqual([{ n: stored.length + keys.length }]);
  }
  expect(await withConnection(url, leftoversOf)).toEqual([]);
});
