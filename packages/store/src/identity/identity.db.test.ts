import { hash } from 'node:crypto';
import { expect, test } from 'vitest';
import { testDatabase } from '../../test/database.ts';
import { entities } from '../../test/gadget.ts';
import {
  activateConnection,
  applicationNamed,
  connectionById,
  connectionByToken,
  connectionSettings,
  connectionsByTokenHash,
  createApplication,
  createConnection,
  deactivateConnection,
  issueConnectionToken,
  listApplications,
  listConnections,
  openStore,
  renameConnection,
  replaceSettings,
  revokeConnectionToken,
  revokeOtherTokens,
} from '../index.ts';

const { store, admin, url } = await testDatabase();
const application = await createApplication(store, 'Acme');
const connect = (name: string) =>
  createConnection(store, {
    applicationId: application.id,
    platform: 'tryton',
    name,
    settings: { password: 'hunter2' },
  });

test('connections belong to applications', async () => {
  const other = await createApplication(store, 'Other');
  const made = await connect('one');
  expect(made).toMatchObject({ applicationId: application.id, platform: 'tryton', name: 'one', status: 'active' });
  expect((await listApplications(store)).map(({ name }) => name)).toEqual(expect.arrayContaining(['Acme', 'Other']));
  expect(await listConnections(store, other.id)).toEqual([]);
  expect(await listConnections(store)).toContainEqual(made);
  expect(await connectionById(store, made.id)).toEqual(made);
});

test('connecting twice with one name is refused, even concurrently; another application may use the name', async () => {
  const made = await Promise.allSettled(Array.from({ length: 5 }, () => connect('twin')));
  expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  for (const each of made)
    if (each.status === 'rejected') expect(each.reason).toMatchObject({ connectionName: 'twin' });
  const { id: applicationId } = await createApplication(store, 'Twins');
  const [twin] = await listConnections(store, applicationId);
  expect(twin).toBeUndefined();
  await createConnection(store, { applicationId, platform: 'tryton', name: 'twin', settings: {} });
});

test('a connection keeps its id under a new name, which must be free', async () => {
  const { id } = await connect('before');
  await connect('taken');
  expect(await renameConnection(store, id, 'after')).toMatchObject({ id, name: 'after' });
  await expect(renameConnection(store, id, 'taken')).rejects.toThrow('already has a connection named "taken"');
});

test('an application is created once for its name by any number of concurrent calls', async () => {
  const made = await Promise.all(Array.from({ length: 8 }, () => applicationNamed(store, 'Once')));
  expect(new Set(made.map(({ id }) => id)).size).toBe(1);
});

test('the other tokens of a connection are revoked, one is kept', async () => {
  const connection = await connect('rotating');
  const [old, kept] = [
    await issueConnectionToken(store, { connectionId: connection.id }),
    await issueConnectionToken(store, { connectionId: connection.id }),
  ];
  expect(await revokeOtherTokens(store, connection.id, kept.id)).toBe(1);
  expect(await connectionByToken(store, old.token)).toBeNull();
  expect(await connectionByToken(store, kept.token)).toMatchObject({ tokenId: kept.id });
});

test('settings are encrypted at rest, each bound to its row', async () => {
  const [one, other] = [await connect('sealed'), await connect('other')];
  const { rows } = await admin.query('select settings from unified.connections');
  expect(JSON.stringify(rows)).not.toContain('hunter2');
  expect(await connectionSettings(store, one.id)).toEqual({ password: 'hunter2' });
  await replaceSettings(store, one.id, { password: 'next' });
  expect(await connectionSettings(store, one.id)).toEqual({ password: 'next' });
  await admin.query(
    'update unified.connections set settings = (select settings from unified.connections where id = $1) where id = $2',
    [one.id, other.id],
  );
  await expect(connectionSettings(store, other.id)).rejects.toThrow();
});

test('replacing settings with equal ones does not change the connection, so no session is reopened', async () => {
  const { id, updatedAt } = await connect('same');
  await replaceSettings(store, id, { password: 'hunter2' });
  expect((await connectionById(store, id))?.updatedAt).toBe(updatedAt);
  await replaceSettings(store, id, { password: 'other' });
  expect((await connectionById(store, id))?.updatedAt).not.toBe(updatedAt);
});

test('every change of a connection has a later timestamp than the previous one, even within a millisecond', async () => {
  const { id } = await connect('restless');
  await admin.query(`update unified.connections set "updatedAt" = now() + interval '1 hour' where id = $1`, [id]);
  const moments: unknown[] = [(await connectionById(store, id))?.updatedAt];
  await replaceSettings(store, id, { password: 'next' });
  moments.push((await connectionById(store, id))?.updatedAt);
  for (const change of [deactivateConnection, activateConnection]) moments.push((await change(store, id))?.updatedAt);
  expect(moments).toEqual([...new Set(moments)].sort());
});

test('without a key no connection can be created', async () => {
  const keyless = await openStore({ databaseUrl: url, publicUrl: 'http://x', entities });
  const making = createConnection(keyless, { applicationId: application.id, platform: 'p', name: 'n', settings: {} });
  await expect(making).rejects.toThrow('open the store with a key');
  await keyless.close();
});

test('a token identifies its connection, and is stored only as a hash', async () => {
  const connection = await connect('tokens');
  const { token, id } = await issueConnectionToken(store, { connectionId: connection.id, name: 'laptop' });
  expect(token).toMatch(/^sct_[A-Za-z0-9_-]{43}$/);
  expect(await connectionByToken(store, token)).toEqual({
    tokenId: id,
    connectionId: connection.id,
    applicationId: application.id,
    platform: 'tryton',
    mappingVersion: 0,
    status: 'active',
    expiresAt: null,
    scopes: ['read', 'write'],
    access: null,
    sessionId: null,
  });
  const { rows } = await admin.query('select * from unified.connection_tokens where id = $1', [id]);
  expect(JSON.stringify(rows)).not.toContain(token.slice(4));
  const other = await connect('other tokens');
  expect(await revokeConnectionToken(store, other.id, id)).toBeNull();
  expect(await revokeConnectionToken(store, connection.id, id)).toMatchObject({ id, name: 'laptop' });
  expect(await connectionByToken(store, token)).toBeNull();
});

test.each(['', 'sct_', 'sct_x', `sct_${'A'.repeat(43)}`, `sct_${'A'.repeat(42)}'`])(
  '%j is not a token',
  async (token) => {
    expect(await connectionByToken(store, token)).toBeNull();
  },
);

test('a token is returned with its expiry, even after it has expired', async () => {
  const { id } = await connect('expiring');
  const past = await issueConnectionToken(store, { connectionId: id, expiresAt: '2020-01-01T00:00:00Z' });
  const future = await issueConnectionToken(store, { connectionId: id, expiresAt: '2999-01-01T00:00:00Z' });
  const [expired, good] = [await connectionByToken(store, past.token), await connectionByToken(store, future.token)];
  expect([expired, good].map((holder) => Date.parse(holder?.expiresAt ?? ''))).toEqual([
    Date.parse('2020-01-01T00:00:00Z'),
    Date.parse('2999-01-01T00:00:00Z'),
  ]);
});

test('a deactivated connection keeps its token, which is returned as inactive', async () => {
  const { id } = await connect('sleeping');
  const { token } = await issueConnectionToken(store, { connectionId: id });
  expect(await deactivateConnection(store, id)).toMatchObject({ status: 'inactive' });
  expect(await connectionByToken(store, token)).toMatchObject({ status: 'inactive' });
  expect(await activateConnection(store, id)).toMatchObject({ status: 'active' });
  expect(await activateConnection(store, application.id)).toBeNull();
});

test('many tokens are looked up by their SHA-256 hashes; those that were revoked are absent', async () => {
  const { id: connectionId } = await connect('looked up by hash');
  const issued = await Promise.all([1, 2, 3].map(() => issueConnectionToken(store, { connectionId })));
  const [kept, other, revoked] = issued.map(({ id, token }) => ({ id, token, digest: hash('sha256', token) }));
  if (!kept || !other || !revoked) throw new Error('No tokens were issued.');
  await revokeConnectionToken(store, connectionId, revoked.id);
  const found = await connectionsByTokenHash(store, [kept.digest, other.digest, revoked.digest]);
  expect([...found.keys()].toSorted()).toEqual([kept.digest, other.digest].toSorted());
  expect(found.get(kept.digest)).toEqual(await connectionByToken(store, kept.token));
  expect(found.get(other.digest)).toMatchObject({ tokenId: other.id });
});
