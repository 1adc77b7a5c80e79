import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { distribute } from '../src/distribution/distribute.ts';
import { migrate, openStore } from '../src/index.ts';
import { withConnection } from '../src/sql/own-connection.ts';
import type { Preparation, PreparedServer } from './prepared-server.ts';

/**
 * URL of the coordinator of a Citus cluster, for a superuser who can log in on its workers in the same way; undefined in other
 * suites.
 */
export const CITUS_URL = process.env.SUITE === 'citus' ? clusterUrl() : undefined;

function clusterUrl(): string {
  const { CITUS_URL: url } = process.env;
  if (url === undefined) throw new Error('Set CITUS_URL to the coordinator of a Citus cluster, as a superuser.');
  return url;
}

const OWNER = 'unified_owner';
const LOCK = 7_246_100_999;
/** Each shard is a table, so fewer are created sooner. */
const SHARDS = 4;

/** A separate database on all servers of the cluster, distributed after its preparation. */
export async function startOnCluster(clusterUrl: string, preparation: Preparation): Promise<PreparedServer> {
  const name = `unified_test_${randomUUID().replaceAll('-', '')}`;
  const dataDir = await mkdtemp(join(tmpdir(), 'unified-test-'));
  const servers = await serversOf(clusterUrl);
  await ensureOwner(clusterUrl);
  for (const server of servers) await createDatabase(server, name);
  await withConnection(urlOf(clusterUrl, name), (client) => joinServers(client, servers));
  const url = urlOf(clusterUrl, name, OWNER);
  const server: PreparedServer = {
    url,
    dataDir,
    reused: false,
    superuserUrl: (database) => urlOf(clusterUrl, database === 'unified' ? name : database),
    createDatabase: () => Promise.reject(new Error('A cluster has no databases of connected systems.')),
    beginStop: () => {},
    stop: async () => {},
    async remove() {
      for (const each of servers) await dropDatabase(each, name);
      await rm(dataDir, { recursive: true, force: true });
    },
  };
  await fillAll(preparation, server);
  await distributeAll(server, preparation.name === 'empty');
  return server;
}

async function fillAll(preparation: Preparation, server: PreparedServer): Promise<void> {
  if (preparation.from) await fillAll(preparation.from, server);
  await preparation.fill(server, server.dataDir);
}

/** As an installation would be that began with one server. Tables that a test adds are distributed by `migrate`. */
async function distributeAll({ url: databaseUrl }: PreparedServer, isEmpty: boolean): Promise<void> {
  const store = await openStore({ databaseUrl, publicUrl: 'http://localhost:4000', entities: {} });
  if (isEmpty) await migrate(store);
  await distribute(store, { isDryRun: false, onTable: () => {} });
  await store.close();
}

function urlOf(clusterUrl: string, database: string, user?: string): string {
  const url = new URL(clusterUrl);
  url.pathname = `/${database}`;
  if (user !== undefined) url.username = user;
  return url.href;
}

/** URLs of the coordinator and of its workers. */
async function serversOf(clusterUrl: string): Promise<string[]> {
  const { rows } = await withConnection(clusterUrl, (client) =>
    client.query<{ host: string; port: number }>(
      `select nodename as host, nodeport as port from pg_dist_node where isactive and noderole = 'primary' order by groupid`,
    ),
  );
  return rows.map(({ host, port }) => Object.assign(new URL(clusterUrl), { hostname: host, port: String(port) }).href);
}

/** Test files that start at the same time would create it twice. */
function ensureOwner(clusterUrl: string): Promise<void> {
  const { password } = new URL(clusterUrl);
  return withConnection(clusterUrl, async (client) => {
    await client.query('select pg_advisory_lock($1)', [LOCK]);
    const { rowCount } = await client.query('select from pg_roles where rolname = $1', [OWNER]);
    if (rowCount) return;
    await client.query(`create role ${OWNER} login createrole password ${pg.escapeLiteral(password || randomUUID())}`);
  });
}

function createDatabase(server: string, name: string): Promise<void> {
  return withConnection(server, async (client) => {
    await client.query('set citus.enable_create_database_propagation to off');
    await client.query(`create database ${name} owner ${OWNER}`);
  }).then(() =>
    withConnection(urlOf(server, name), async (client) => void (await client.query('create extension citus'))),
  );
}

async function joinServers(client: pg.Client, [coordinator, ...workers]: readonly string[]): Promise<void> {
  const { hostname, port } = new URL(coordinator ?? '');
  await client.query('select citus_set_coordinator_host($1, $2)', [hostname, Number(port)]);
  for (const worker of workers.map((url) => new URL(url)))
    await client.query('select citus_add_node($1, $2)', [worker.hostname, Number(worker.port)]);
  await client.query(`alter database ${client.database} set citus.shard_count to ${SHARDS}`);
  // Moves create roles named after this number, and roles belong to all databases of a server.
  await client.query(`select setval('pg_catalog.pg_dist_operationid_seq', (random() * 1e12)::bigint)`);
}

function dropDatabase(server: string, name: string): Promise<void> {
  return withConnection(server, async (client) => void (await client.query(`drop database ${name} with (force)`)));
}
