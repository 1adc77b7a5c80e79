import { expect, test } from 'vitest';
import { testDatabase } from '../../test/database.ts';
import {
  type AuthorizationSession,
  authorizationSession,
  createApplication,
  createAuthorizationSession,
  endAuthorizationSession,
  forgetExpiredSessions,
  saveAuthorization,
  startAuthorizationCheck,
} from '../index.ts';

const { store, admin } = await testDatabase();
const { id: clientId } = await createApplication(store, 'Northwind');

async function session(): Promise<AuthorizationSession> {
  const id = await createAuthorizationSession(store, { clientId, browser: 'browser', content: 'first' });
  return read(id);
}

async function read(id: string): Promise<AuthorizationSession> {
  const found = await authorizationSession(store, id, 'browser');
  if (!found) throw new Error('There is no such session.');
  return found;
}

test('a change has no effect if another tab has changed the session in the meantime', async () => {
  const [one, other] = [await session(), await session()];
  expect(other.id).not.toBe(one.id);
  const seen = await read(one.id);
  const changed = await saveAuthorization(store, one, 'second');
  expect(await saveAuthorization(store, seen, 'lost')).toBeNull();
  expect(await startAuthorizationCheck(store, seen, 'progress')).toBeNull();
  expect(await endAuthorizationSession(store, seen)).toBe(false);
  expect(await read(one.id)).toMatchObject({ content: 'second', checkId: null, progress: null });
  if (!changed) throw new Error('The first change was not stored.');
  expect(await startAuthorizationCheck(store, changed, 'progress')).not.toBeNull();
  expect(await saveAuthorization(store, changed, 'third', { keepsCheck: true })).toMatchObject({ content: 'third' });
  expect(await read(one.id)).toMatchObject({ content: 'third', progress: 'progress' });
  expect(await endAuthorizationSession(store, await read(one.id))).toBe(true);
});

test('credentials of sessions that have expired are removed, and those of others stay', async () => {
  const [expired, open] = [await session(), await session()];
  await startAuthorizationCheck(store, expired, 'preview');
  await admin.query(
    `update unified.authorization_sessions set "expiresAt" = now() - interval '1 second' where id = '${expired.id}'`,
  );
  await forgetExpiredSessions(store);
  const { rows } = await admin.query(
    `select content, progress from unified.authorization_sessions where id = '${expired.id}'`,
  );
  expect(rows).toEqual([{ content: '', progress: null }]);
  expect(await read(open.id)).toMatchObject({ content: 'first', isOpen: true });
});
