import { fileURLToPath } from 'node:url';
import { draftMapping, loadPlatform } from '@unified/connectors';
import { entities } from '@unified/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Models, startTrytonServer } from '../../../connectors/test/tryton-server.ts';
import { completeChanges } from '../checks/complete-changes.ts';
import { SystemUnderTest } from '../system-under-test.ts';
import { mappingText, streamText } from './draft-text.ts';

const platform = loadPlatform(fileURLToPath(new URL('../../templates/tryton', import.meta.url)));
const MODEL = 'gnuhealth.patient';
const models: Models = {
  [MODEL]: {
    ...{ id: 'integer', name: 'party.party', rec_name: 'char', general_info: 'text', active: 'boolean' },
    ...{ create_date: 'timestamp', write_date: 'timestamp', currency: 'currency.currency', email: 'party.email' },
    ...{ emails: 'party.email', counted: 'currency.currency' },
  },
  'party.party': { id: 'integer', name: 'char', lang: 'ir.lang' },
  ...{ 'currency.currency': { id: 'integer', code: 'char' }, 'party.email': { id: 'integer', name: 'char' } },
  'ir.lang': { id: 'integer', code: 'char' },
};

let server: Awaited<ReturnType<typeof startTrytonServer>>;
let system: SystemUnderTest;
beforeAll(async () => {
  const at = { create_date: null, write_date: null };
  const row = { ...at, id: 1, name: 7, rec_name: 'Ana, Betz', 'name.': { id: 7, name: 'Betz' } };
  server = await startTrytonServer({ models, unsearchable: ['counted'], rows: [row] });
  system = new SystemUnderTest(platform, server.settings);
});
afterAll(async () => {
  await system.close();
  server.server.close();
});

async function drafted() {
  const page = await system.driver.discover?.catalog?.columns(MODEL, { from: null });
  return draftMapping(system, entities.Customer, { name: MODEL, columns: page?.items ?? [] });
}

test('a relation never becomes a text; its name is read instead, and its changes are found', async () => {
  const draft = await drafted();
  expect(Object.fromEntries(draft.fields)).toEqual({
    name: 'rec_name',
    isActive: { boolean: 'active' },
    currency: { ref: { entity: 'Currency', by: '_idValue', value: 'currency' } },
  });
  expect(draft.options).toMatchObject({ touchedBy: ['name'] });
  expect(draft.options.fields).not.toContain('email');
  expect(mappingText(draft)).toContain('email (many2one party.email)');
});

test('the cursor works with the driver, and a row that was never changed has the time of its creation', async () => {
  const draft = await drafted();
  expect(streamText(draft)).toContain('\n  cursor: write_date\n');
  const updated = 'updated: { coalesce: [{ datetime: write_date }, { datetime: create_date }] }';
  expect(mappingText(draft)).toContain(updated);
});

test.each([
  { fields: ['name.name', 'name.lang.code'], touchedBy: [], unwatched: ['name', 'name.lang'] },
  { fields: ['name.name', 'name.lang.code'], touchedBy: ['name'], unwatched: ['name.lang'] },
  { fields: ['rec_name', 'name.nothing'], touchedBy: [], unwatched: ['name'] },
  { fields: ['name', 'general_info'], touchedBy: [], unwatched: [] },
  { fields: ['email.name'], touchedBy: [], unwatched: ['email'] },
  { fields: ['email.name'], touchedBy: ['emails'], unwatched: [] },
  { fields: ['email.name', 'name.lang.code'], touchedBy: ['name', 'emails'], unwatched: ['name.lang'] },
  { fields: ['counted.code'], touchedBy: [], unwatched: [] },
])('a check lists relations of $fields that $touchedBy lacks', async ({ fields, touchedBy, unwatched }) => {
  const stream = {
    ...{ name: MODEL, key: ['id'], order: 0, cursor: 'write_date', deletes: 'diff' as const, pageSize: 10 },
    options: { fields, touchedBy },
  };
  expect(await system.driver.discover?.unwatched?.(stream)).toEqual(unwatched);
  const checked = new SystemUnderTest({ ...platform, streams: [stream] }, server.settings);
  const outcome = await completeChanges.run(checked).finally(() => checked.close());
  const note = `${MODEL}: Only full passes find changes of values that rows have from ${unwatched.join(', ')}. To find them earlier, add these to touchedBy.`;
  expect(outcome).toEqual({
    ...{ result: 'passed', seen: '1 streams with a cursor' },
    ...(unwatched.length > 0 && { notes: [note] }),
  });
});
