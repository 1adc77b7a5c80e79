import { expect, test } from 'vitest';
import { testDatabase } from '../../test/database.ts';
import { claimRequest, createApplication, forgetExpiredRequests, saveResponse } from '../index.ts';

const { store, admin } = await testDatabase();

test('the copy of a response is deleted when its key has expired, without another request', async () => {
  const application = store.application((await createApplication(store, 'Acme')).id);
  for (const [key, hours] of [
    ['recent', 24],
    ['expired', 26],
  ] as const) {
    const request = { key, fingerprint: 'create' };
    expect(await claimRequest(application, request)).toEqual({ state: 'first' });
    await saveResponse(application, request, '{"token":"secret"}');
    await admin.query(
      'update unified.keyed_requests set "createdAt" = now() - make_interval(hours => $2) where key = $1',
      [key, hours],
    );
  }
  await forgetExpiredRequests(store);
  const { rows } = await admin.query('select key, response from unified.keyed_requests');
  expect(rows).toEqual([{ key: 'recent', response: expect.not.stringContaining('secret') }]);
});
