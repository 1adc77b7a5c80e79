import { expect, test } from 'vitest';
import { testDatabase } from '../../test/database.ts';
import { applicationSecret, createApplication } from '../index.ts';

const { store, admin } = await testDatabase();

test('an application gets its own client secret, which can be read again and is encrypted at rest', async () => {
  const [one, two] = [await createApplication(store, 'One'), await createApplication(store, 'Two')];
  const secret = await applicationSecret(store, one.id);
  expect(secret).toMatch(/^scs_[\w-]{43}$/);
  expect(await applicationSecret(store, one.id)).toBe(secret);
  expect(await applicationSecret(store, two.id)).not.toBe(secret);
  const { rows } = await admin.query('select secret from unified.applications where id = $1', [one.id]);
  expect(rows[0].secret).not.toContain(secret);
});

test('an application that does not exist has no secret', async () => {
  expect(await applicationSecret(store, '0199d2a4-0000-7000-8000-000000000000')).toBeNull();
});
