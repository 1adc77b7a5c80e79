import { expect, onTestFinished, test } from 'vitest';
import { startTrytonServer } from '../../test/tryton-server.ts';
import type { Json } from '../json.ts';
import type { Platform, Stream } from '../platform.ts';
import { openTryton } from './open-tryton.ts';

const platform: Platform = {
  ...{ id: 'users', name: 'Users', description: '', driver: 'tryton', settings: {}, secrets: [] },
  ...{ streams: [], mappings: {}, options: {}, broken: [] },
};
const stream: Stream = {
  ...{ name: 'res.user', key: ['id'], order: 0, deletes: 'diff', pageSize: 2 },
  options: { fields: ['login'] },
};
const rows = [-7, 0, 1, 2, 5].map((id) => ({ id, login: `user ${id}` }));

async function driver() {
  const { settings, server } = await startTrytonServer({ models: { 'res.user': { login: 'char' } }, rows });
  const opened = openTryton(platform, settings);
  onTestFinished(async () => {
    await opened.close();
    server.close();
  });
  return opened;
}

test.each([1, 2, 10])('a full pass in pages of %i reads rows whose ids are 0 and less', async (limit) => {
  const { pull } = await driver();
  const keys: string[] = [];
  for (let from: Json | null = null, more = true; more; more = from !== null) {
    const page = await pull({ stream, from, limit });
    keys.push(...page.rows.map(({ key }) => key));
    from = page.next;
  }
  expect(keys).toEqual(['-7', '0', '1', '2', '5']);
});

test('a row whose id is less than 0 is read by its key', async () => {
  expect(await (await driver()).read(stream, '-7')).toMatchObject({ id: -7 });
});
