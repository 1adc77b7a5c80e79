import { expect, test } from 'vitest';
import { testDatabase } from '../../test/database.ts';
import { entity, field } from '../../test/gadget.ts';
import { find, migrate, rewriteLinks, saveRecords } from '../index.ts';

const paper = {
  ...entity('Paper', 'papers', [field('name', 'text'), field('url', 'text'), field('sha256', 'text')]),
  holdsFile: true,
};
const entities = { Paper: paper };
const { freshScope, open, admin } = await testDatabase();

test('a file has the address of its record unless the system provides one, and that address follows the public URL', async () => {
  const store = await open({ entities });
  await migrate(store);
  await rewriteLinks(store);
  const { applicationId, connectionId } = freshScope();
  const scope = store.scope({ applicationId, connectionId });
  const save = (values: object) =>
    saveRecords(
      scope,
      paper,
      Object.entries(values).map(([_idValue, each]) => ({ _source: 's', _idValue, values: each, references: {} })),
    );
  const elsewhere = { url: 'https://elsewhere.example/2', sha256: 'b' };
  const { ids } = await save({ 1: { sha256: 'a' }, 2: elsewhere, 3: { name: 'no file' } });
  const urls = async () => {
    const { rows } = await admin.query(
      'select url, doc from data.papers where connection_id = $1 order by "_idValue"',
      [connectionId],
    );
    for (const { url, doc } of rows) expect(doc.url).toBe(url);
    return rows.map(({ url }) => url);
  };
  expect(await urls()).toEqual([`https://api.test/v4/papers/${ids[0]}`, elsewhere.url, null]);
  const moved = await open({ entities, publicUrl: 'https://moved.test' });
  await rewriteLinks(moved);
  expect(await urls()).toEqual([`https://moved.test/v4/papers/${ids[0]}`, elsewhere.url, null]);
  expect(JSON.parse((await find(moved.scope(scope), paper, ids[1] ?? '')) ?? '{}').url).toBe(elsewhere.url);
});
