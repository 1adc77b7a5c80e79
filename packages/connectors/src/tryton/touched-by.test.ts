import { expect, onTestFinished, test } from 'vitest';
import { type Models, startTrytonServer } from '../../test/tryton-server.ts';
import type { Platform, Stream } from '../platform.ts';
import { openTryton } from './open-tryton.ts';

const platform: Platform = {
  ...{ id: 'works', name: 'Works', description: '', driver: 'tryton', settings: {}, secrets: [] },
  ...{ streams: [], mappings: {}, broken: [] },
  options: { otherNames: { 'work.order': { fields: { places: 'locations' } } } },
};
const stream: Stream = {
  ...{ name: 'work.order', key: ['id'], order: 0, deletes: 'diff', pageSize: 10 },
  options: { fields: ['number'], touchedBy: ['places', 'places.lot', 'places.center'] },
};
const models: Models = {
  'work.order': { number: 'char', locations: 'place' },
  place: { lot: 'lot' },
  lot: { number: 'char' },
};

test('an incremental pass searches by the relations that the database has, with the names of its series', async () => {
  const { settings, heard, server } = await startTrytonServer({ models, rows: [] });
  const driver = openTryton(platform, settings);
  onTestFinished(async () => {
    await driver.close();
    server.close();
  });
  await driver.changes.pull({ stream, since: '2026-11-20T06:00:00Z', from: null, limit: 10 });
  const [domain] = heard.find(({ method }) => method === 'model.work.order.search_read')?.params ?? [];
  const [[[, ...conditions]]] = domain as [[[string, ...[string, string, unknown][]]]];
  expect(conditions.map(([field]) => field)).toEqual([
    ...['write_date', 'create_date', 'locations.write_date', 'locations.create_date'],
    ...['locations.lot.write_date', 'locations.lot.create_date'],
  ]);
});
