import { afterAll, expect, test } from 'vitest';
import { CITUS_URL, startOnCluster } from '../../test/cluster-server.ts';
import { databaseOn, gadgetTables } from '../../test/database.ts';
import { countSteps, type Kill, killAt, kills, pointsOf, shuffled } from '../../test/move-kills.ts';
import { filled, hashWithout, keepSaving, nodeOf, otherNode, startMove, storedOf } from '../../test/moves.ts';
import { programsOf, startOwnCluster } from '../../test/own-cluster.ts';
import { seededRandom } from '../../test/seeded-random.ts';
import { withConnection } from '../sql/own-connection.ts';
import { type Leftover, leftoversOf } from './leftovers.ts';

/** KILL_SEED sets another sequence of kills; KILLS sets their number. */
const SEED = Number(process.env.KILL_SEED ?? 20261127);
const KILLS = Number(process.env.KILLS ?? 20);

/** In-doubt transactions of a server that was killed are completed within this time, and are not visible before. */
const PATIENCE = { timeout: 90_000, interval: 500 };

const programs = await programsOf(CITUS_URL ?? '');

/** Removes what Citus does not know, as the command advises, with the rights of a superuser. */
async function removeAsAdvised(databaseUrl: string, leftovers: readonly Leftover[]): Promise<void> {
  const name = new URL(databaseUrl).pathname;
  for (const { node, remedy } of leftovers)
    await withConnection(`postgres://postgres@${node}${name}`, async (client) => {
      for (const statement of remedy.split('; ')) await client.query(statement);
    });
}

async function moveWithKills(folder: string): Promise<void> {
  const cluster = await startOwnCluster(folder);
  afterAll(() => cluster.remove());
  const database = await databaseOn(await startOnCluster(cluster.coordinator.url, gadgetTables));
  const { store, url, adminUrl } = database;
  const admin = adminUrl('unified');
  const random = seededRandom(SEED);

  test(`a move of which something is killed at ${KILLS} random points is completed by the next one (KILL_SEED=${SEED})`, {
    timeout: 3_600_000,
  }, async () => {
    await Promise.all([filled(database), filled(database), filled(database)]);
    let scope = await filled(database);
    const moveTo = (to: string) => (proxied: string) => startMove(proxied, scope, to);
    const complete = async () => countSteps({ databaseUrl: url, start: moveTo(await otherNode(store, scope)) });
    // The first move of a connection divides its shard; after that, it has a shard of its own.
    const points = [pointsOf(await complete(), random), pointsOf(await complete(), random)];
    const victims: Kill[] = [];
    while (victims.length < KILLS) victims.push(...shuffled(kills, random));
    for (const [n, victim] of victims.slice(0, KILLS).entries()) {
      if (n % 2 === 0) scope = await filled(database);
      const to = await otherNode(store, scope);
      const [before, stored] = [await hashWithout(admin, scope), await storedOf(admin, scope)];
      const point = points[n % 2]?.next().value ?? expect.fail();
      const work = async () => {
        const killed = await killAt({ databaseUrl: url, cluster, point, victim, start: moveTo(to) });
        return { ...killed, again: await startMove(url, scope, to).ended };
      };
      const working = work();
      const [{ hit, ended, again }, saved] = await Promise.all([working, keepSaving(scope, `saved${n}`, working)]);
      const first = `${victim.name} killed before ${hit}: ${ended.stderr || ended.stdout || 'no output'}`;
      const second = `then ${again.stderr}${again.stdout}; ${saved.keys.length} saved, ${saved.failures} repeated`;
      process.stdout.write(`${n + 1}: ${n % 2 === 0 ? 'division' : 'move'}, ${first}\n  ${second}\n`);
      expect(hit, `the move ended before ${point.kind} ${point.index}`).toBeDefined();
      expect(again).toMatchObject({ code: 0, stderr: '' });
      expect(await nodeOf(store, scope)).toBe(to);
      const keys = [...stored.keys, ...saved.keys].toSorted();
      const expected = { keys, changes: stored.changes + saved.keys.length };
      await expect.poll(() => storedOf(admin, scope), PATIENCE).toEqual(expected);
      expect(await hashWithout(admin, scope)).toEqual(before);
      const { leftovers } = JSON.parse(again.stdout) as { leftovers: Leftover[] };
      expect(await withConnection(url, leftoversOf)).toEqual(leftovers);
      await removeAsAdvised(url, leftovers);
      expect(await withConnection(url, leftoversOf)).toEqual([]);
    }
  });
}

if (programs === null) throw new Error('Kills need a server at CITUS_URL whose programs are on this machine.');
await moveWithKills(programs);
