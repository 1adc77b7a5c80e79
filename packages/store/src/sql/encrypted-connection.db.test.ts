import { chownSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type pg from 'pg';
import { expect, onTestFinished, test, vi } from 'vitest';
import { testDatabase } from '../../test/database.ts';
import { PendingRead, sendReads } from './document-reads.ts';
import { JoinedDocuments } from './joined-documents.ts';
import { TappedClient } from './row-tap.ts';
import { bindConnection, fixedStatement } from './statement.ts';

/** Used only here; the client does not verify it. */
const KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQga5c4KzKAURCnzoX4
HIMJTe5xSmBez27pa16YFFW5JiWhRANCAATkymcby7MvdzI673wBUwZC1wBpU8eZ
sUil3oawldS+9ZrxNxCnRVKkrJ0DNolCj7Qb+kCUc9oN8kKQlWnEm4h2
-----END PRIVATE KEY-----`;
const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBlDCCATugAwIBAgIUPuFBIdDIKqNoE1TxUweaQBgVna4wCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyNzIwMzA0N1oYDzIxMjYxMTAz
MjAzMDQ3WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAATkymcby7MvdzI673wBUwZC1wBpU8eZsUil3oawldS+9ZrxNxCnRVKk
rJ0DNolCj7Qb+kCUc9oN8kKQlWnEm4h2o2kwZzAdBgNVHQ4EFgQUNl5b48stIIcd
VKZcdvrHqyv1UAgwHwYDVR0jBBgwFoAUNl5b48stIIcdVKZcdvrHqyv1UAgwDwYD
VR0TAQH/BAUwAwEB/zAUBgNVHREEDTALgglsb2NhbGhvc3QwCgYIKoZIzj0EAwID
RwAwRAIgIUGmz/7F0GoOaCm7eJuigB8kChMQ0NX3ZQNZP7Oi7g0CIEvkoMkeH3N2
mk8Z/7uu35hjjxXioZDCeX+dttw3IzMx
-----END CERTIFICATE-----`;

const { url, admin } = await testDatabase();

/** Lets the server accept encrypted connections. */
async function allowEncryption() {
  const folder = (await admin.query('show data_directory')).rows[0].data_directory;
  const { uid, gid } = statSync(folder);
  for (const [name, text] of Object.entries({ 'server.key': KEY, 'server.crt': CERTIFICATE })) {
    writeFileSync(join(folder, name), text, { mode: 0o600 });
    chownSync(join(folder, name), uid, gid);
  }
  await admin.query('alter system set ssl = on');
  await admin.query('select pg_reload_conf()');
}

/** A client whose connection is encrypted, as soon as the server accepts one. */
async function encryptedClient(): Promise<pg.Client> {
  const client = new TappedClient({ connectionString: `${url}?sslmode=no-verify` });
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

test('documents arrive over an encrypted connection', async () => {
  await allowEncryption();
  const client = await vi.waitFor(encryptedClient, { timeout: 30_000 });
  await client.query({ ...bindConnection, values: [''] });
  const { rows } = await client.query('select ssl from pg_stat_ssl where pid = pg_backend_pid()');
  expect(rows).toEqual([{ ssl: true }]);

  const text = `select repeat(n::text, 50000) from generate_series(1, 3) n order by n`;
  const documents = new JoinedDocuments(3);
  const before = { statement: fixedStatement('select 1'), values: [] };
  const statement = { statement: fixedStatement(text), values: [] };
  const read = new PendingRead({ connectionId: '0199d2a4-6c1e-7a53-9f0b-3f1c2d4e5a6b', before, statement, documents });
  await sendReads(client, [read]);
  expect((await read.result).documents.json).toBe([1, 2, 3].map((n) => `${n}`.repeat(50_000)).join(','));
});
