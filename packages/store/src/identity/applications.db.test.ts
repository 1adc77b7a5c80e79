import { expect, test } from 'vitest';
import { testDatabase } from '../../test/database.ts';
import {
  applicationSecret,
  clientBySecret,
  createApplication,
  createClientSecret,
  listClientSecrets,
  readClientSecret,
  revokeClientSecret,
} from '../index.ts';

const { store, admin } = await testDatabase();
const UNKNOWN = '0199d2a4-0000-7000-8000-000000000000';

test('an application gets its own client secret, which can be read again and is encrypted at rest', async () => {
  const [one, two] = [await createApplication(store, 'One'), await createApplication(store, 'Two')];
  const secret = await applicationSecret(store, one.id);
  expect(secret).toMatch(/^scs_[\w-]{43}$/);
  expect(await applicationSecret(store, one.id)).toBe(secret);
  expect(await applicationSecret(store, two.id)).not.toBe(secret);
  const { rows } = await admin.query('select * from unified.client_secrets where "clientId" = $1', [one.id]);
  expect(JSON.stringify(rows)).not.toContain(secret);
});

test('an application that does not exist has no secret', async () => {
  expect(await applicationSecret(store, UNKNOWN)).toBeNull();
});

test('a client is found only by its id together with one of its valid secrets', async () => {
  const { id } = await createApplication(store, 'Three');
  const other = await createApplication(store, 'Four');
  const secret = (await applicationSecret(store, id)) ?? '';
  expect(await clientBySecret(store, id, secret)).toMatchObject({ clientId: id, applicationId: id });
  for (const [client, sent] of [
    [id, `${secret}x`],
    [id, ''],
    [other.id, secret],
    [UNKNOWN, secret],
    ['not a uuid', secret],
  ] as const) {
    expect(await clientBySecret(store, client, sent)).toBeNull();
  }
  const expired = await createClientSecret(store.application(id), { clientId: id, expiresAt: '2020-01-01T00:00:00Z' });
  expect(await clientBySecret(store, id, expired?.secret ?? '')).toBeNull();
});

test('secrets are listed without their values, and a revoked one no longer works', async () => {
  const { id } = await createApplication(store, 'Five');
  const scope = store.application(id);
  const made = await createClientSecret(scope, { clientId: id, name: 'Production' });
  expect(await readClientSecret(scope, id, made?.id ?? '')).toMatchObject({ secret: made?.secret, name: 'Production' });
  await clientBySecret(store, id, made?.secret ?? '');
  expect(await revokeClientSecret(scope, id, made?.id ?? '')).toMatchObject({ revokedAt: expect.any(String) });
  expect(await revokeClientSecret(scope, id, made?.id ?? '')).toBeNull();
  const [first, second] = (await listClientSecrets(scope, id)) ?? [];
  expect(first).toMatchObject({ lastUsedAt: null, revokedAt: null });
  expect(second).toMatchObject({
    name: 'Production',
    hint: made?.secret.slice(-4),
    lastUsedAt: expect.any(String),
    revokedAt: expect.any(String),
  });
  expect(JSON.stringify(second)).not.toContain(made?.secret);
  expect(await readClientSecret(scope, id, made?.id ?? '')).toBeNull();
  expect(await clientBySecret(store, id, made?.secret ?? '')).toBeNull();
});

test('the use of a secret is recorded to the minute, at most once a minute', async () => {
  const { id } = await createApplication(store, 'Often');
  const scope = store.application(id);
  const made = await createClientSecret(scope, { clientId: id });
  const used = async () => {
    expect(await clientBySecret(store, id, made?.secret ?? '')).toMatchObject({ clientId: id });
    const { rows } = await admin.query('select "lastUsedAt" from unified.client_secrets where id = $1', [made?.id]);
    return rows[0];
  };
  const recorded = await used();
  expect(recorded.lastUsedAt.getTime() % 60_000).toBe(0);
  const setBack = `update unified.client_secrets set "lastUsedAt" = now() - $2::interval where id = $1 returning "lastUsedAt"`;
  const { rows: recent } = await admin.query(setBack, [made?.id, '30 seconds']);
  expect((await used()).lastUsedAt).toEqual(recent[0].lastUsedAt);
  const { rows: earlier } = await admin.query(setBack, [made?.id, '2 minutes']);
  expect((await used()).lastUsedAt > earlier[0].lastUsedAt).toBe(true);
});

test('another application finds none of them', async () => {
  const [mine, theirs] = [await createApplication(store, 'Mine'), await createApplication(store, 'Theirs')];
  const [secret] = (await listClientSecrets(store.application(theirs.id), theirs.id)) ?? [];
  const scope = store.application(mine.id);
  expect(await listClientSecrets(scope, theirs.id)).toBeNull();
  expect(await createClientSecret(scope, { clientId: theirs.id })).toBeNull();
  expect(await readClientSecret(scope, theirs.id, secret?.id ?? '')).toBeNull();
  expect(await revokeClientSecret(scope, theirs.id, secret?.id ?? '')).toBeNull();
});

test('a secret that is moved to another row cannot be decrypted', async () => {
  const { id } = await createApplication(store, 'Moved');
  const made = await createClientSecret(store.application(id), { clientId: id });
  await admin.query(
    `update unified.client_secrets set secret = (select secret from unified.client_secrets where "clientId" <> $1 limit 1)
      where id = $2`,
    [id, made?.id],
  );
  await expect(readClientSecret(store.application(id), id, made?.id ?? '')).rejects.toThrow();
});
