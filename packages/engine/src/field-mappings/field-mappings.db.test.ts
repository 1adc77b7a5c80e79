import { addRevision, type Scope, saveRawRows, saveSyncState } from '@unified/store';
import { expect, test } from 'vitest';
import { origin, type Site, startHarness } from '../../test/harness.ts';

const harness = await startHarness();
const { store, engine } = harness;

const mappingsOf = ({ applicationId }: Scope) => engine.mappingsOf(store.application(applicationId), origin);

/** A connection with three vendors in its system, which were copied. */
async function site(): Promise<Site> {
  const made = await harness.site();
  const names = ['Smith', 'Jones', 'Brown'];
  const rows = names.map((name) =>
    made.system.put({ kind: 'vendor', name, terms: 'Net 30', code: null, currency: null }),
  );
  const copied = rows.map((row) => ({ key: String(row.id), row: { ...row, id: String(row.id) } }));
  await saveRawRows(made.scope, 'rows', copied);
  await saveSyncState(made.scope, 'rows', { nextRunAt: '2999-01-01T00:00:00Z', lastSuccessAt: 'now' });
  return made;
}

const prefixed = { concat: { parts: [{ const: 'Firm' }, 'name'], separator: ' ' } };

test('revision 0 is the mapping of the platform; a saved one contains only what differs', async () => {
  const { scope, connectionId } = await site();
  const mappings = mappingsOf(scope);
  const platform = await mappings.active(connectionId, 'Vendor');
  expect(platform).toMatchObject({ revision: 0, isActive: true, stream: 'rows', changedFields: [], createdBy: null });
  const { fields } = platform;
  const saved = await mappings.save(
    connectionId,
    'Vendor',
    { fields: { ...fields, name: prefixed, notes: null } },
    'Portal',
  );
  expect(saved).toMatchObject({ revision: 1, isActive: false, createdBy: 'Portal', changedFields: ['name', 'notes'] });
  expect(saved.fields).toMatchObject({ terms: 'terms', name: prefixed, notes: null });
  const listed = await mappings.revisions(connectionId, 'Vendor', { limit: 5 });
  expect(listed.map(({ revision, isActive }) => [revision, isActive])).toEqual([
    [1, false],
    [0, true],
  ]);
});

test('a mapping that cannot be used is refused with every problem and the nearest names', async () => {
  const { scope, connectionId } = await site();
  const fields = { nam: 'name', notes: { txt: 'notes' }, currency: 'currency' };
  const refused = mappingsOf(scope).save(connectionId, 'Vendor', { fields, stream: 'row' }, null);
  await expect(refused).rejects.toMatchObject({
    code: 'SERVICE_INVALID_BODY',
    details: expect.arrayContaining([
      { path: 'body/fields/nam', message: expect.stringMatching(/no such field \(did you mean "name"\?\); it has /) },
      { path: 'body/fields/notes', message: expect.stringMatching(/"txt" \(did you mean "text"\?\)/) },
      { path: 'body/fields/currency', message: expect.stringContaining('the field is relation') },
    ]),
  });
  await expect(
    mappingsOf(scope).save(connectionId, 'Vendor', { fields: { name: 'name' }, stream: 'row' }, null),
  ).rejects.toMatchObject({
    details: [{ path: 'body/stream', message: expect.stringContaining('did you mean "rows"?') }],
  });
});

test('of two people who edit the same revision, one is refused', async () => {
  const { scope, connectionId } = await site();
  const mappings = mappingsOf(scope);
  const edited = { fields: {}, basedOn: 0 };
  const both = await Promise.allSettled([1, 2].map(() => mappings.save(connectionId, 'Vendor', edited, null)));
  const failed = both.filter(({ status }) => status === 'rejected');
  expect(failed).toEqual([expect.objectContaining({ reason: expect.objectContaining({ code: 'SERVICE_CONFLICT' }) })]);
  await expect(mappings.save(connectionId, 'Vendor', { fields: {}, basedOn: 0 }, null)).rejects.toMatchObject({
    ...{ code: 'SERVICE_CONFLICT', details: { newestRevision: 1 } },
  });
  expect(await mappings.save(connectionId, 'Vendor', { fields: {}, basedOn: 1 }, null)).toMatchObject({ revision: 2 });
  await expect(mappings.activate(connectionId, 'Vendor', 3)).rejects.toMatchObject({ code: 'SERVICE_NOT_FOUND' });
});

test('a test maps rows of the system, and stores nothing', async () => {
  const { scope, connectionId } = await site();
  const fields = { name: prefixed, rating: { number: 'terms' } };
  const rows = await mappingsOf(scope).testFetch(connectionId, 'Vendor', { fields, limit: 2 });
  expect(rows).toHaveLength(2);
  expect(rows[0]).toMatchObject({ row: { name: 'Smith' }, record: { name: 'Firm Smith', rating: null } });
  expect(rows[0]?.problems).toEqual([expect.stringMatching(/^rating: The value is not a number.* It is "Net 30"\.$/)]);
  expect(await mappingsOf(scope).active(connectionId, 'Vendor')).toMatchObject({ revision: 0 });
});

test('a preview counts what would change, by field', async () => {
  const { scope, connectionId } = await site();
  const mappings = mappingsOf(scope);
  const preview = await mappings.preview(connectionId, 'Vendor', { fields: { name: prefixed }, limit: 1 });
  expect(preview).toMatchObject({ rows: 3, records: 3, created: 0, deleted: 0 });
  expect(preview.fields).toContainEqual({ field: 'name', records: 3, problems: 0 });
  expect(preview.examples).toHaveLength(1);
  const where = { path: 'name', equals: 'Smith' };
  const narrowed = await mappings.preview(connectionId, 'Vendor', { fields: {}, parts: { where }, limit: 1 });
  expect(narrowed).toMatchObject({ rows: 3, deleted: 2 });
});

test('the lineage of a record names stream, columns, word and revision', async () => {
  const { scope, connectionId } = await site();
  const mappings = mappingsOf(scope);
  await mappings.save(connectionId, 'Vendor', { fields: { name: prefixed }, activate: true }, null);
  const row = { entity: 'Vendor', _source: 'rows', _idValue: '1' };
  const [lineage, none] = await engine.lineage(scope, [row, { ...row, _idValue: '9' }]);
  expect(lineage?.name).toEqual({
    ...{ stream: 'rows', columns: [{ name: 'name', value: 'Smith' }], word: prefixed, revision: 1 },
    readAt: expect.any(String),
  });
  expect(none).toEqual({});
});

test('a revision that can no longer be used is reported, and its records stay', async () => {
  const { scope, connectionId } = await site();
  const mappings = mappingsOf(scope);
  const change = { fields: { name: { gone: 'name' } } };
  await addRevision(scope, { entity: 'Vendor', change, note: null, createdBy: null }, 0);
  const broken = await mappings.activate(connectionId, 'Vendor', 1);
  expect(broken.problems).toEqual([{ path: 'fields.name', message: expect.stringContaining('gone') }]);
  const statuses = await engine.syncStatus(scope);
  expect(statuses.flatMap(({ problems }) => problems)).toContainEqual(
    expect.objectContaining({ entity: 'Vendor', reason: 'broken_mapping' }),
  );
});

test('a mapping of an entity that the platform lacks needs a stream, which is reported once with those that exist', async () => {
  const { scope, connectionId } = await site();
  const refused = mappingsOf(scope).save(connectionId, 'Item', { fields: { name: 'name' } }, null);
  await expect(refused).rejects.toMatchObject({
    code: 'SERVICE_INVALID_BODY',
    details: [{ path: 'body/stream', message: expect.stringContaining('send one of rows') }],
  });
});
