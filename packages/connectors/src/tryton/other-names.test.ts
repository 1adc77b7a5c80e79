import { expect, onTestFinished, test } from 'vitest';
import { type Heard, type Models, startTrytonServer } from '../../test/tryton-server.ts';
import type { Row } from '../driver.ts';
import type { Platform, Stream } from '../platform.ts';
import { openTryton, type TrytonDriver } from './open-tryton.ts';

const otherNames = {
  'work.order': { fields: { uom: 'unit', number: 'number', post_number: 'number' }, buttons: { done: 'do' } },
  'work.part': { fields: { uom: 'unit' } },
};

/** A driver for a server with these models, buttons and rows, and the calls that the server got. */
async function driverFor(models: Models, buttons: readonly string[], rows: readonly Row[]) {
  const { settings, heard, server } = await startTrytonServer({ models, buttons, rows });
  const platform: Platform = { ...EMPTY, options: { otherNames } };
  const driver = openTryton(platform, settings);
  onTestFinished(async () => {
    await driver.close();
    server.close();
  });
  return { driver, heard };
}

const EMPTY: Platform = {
  ...{ id: 'works', name: 'Works', description: '', driver: 'tryton', settings: {}, secrets: [] },
  ...{ streams: [], mappings: {}, options: {}, broken: [] },
};
const stream: Stream = {
  ...{ name: 'work.order', key: ['id'], order: 0, deletes: 'diff', pageSize: 10 },
  options: {
    fields: ['number', 'post_number', 'uom.symbol', 'parts.uom', 'state'],
    buttons: { done: { first: { draft: 'wait' }, to: ['done'] } },
  },
};
const intent = { writeId: 'w', position: null, sentAt: '2026-11-20T06:00:00Z' };
const BUTTON = { name: 'char', model: 'char' };
const UNIT = { symbol: 'char' };
const later: Models = {
  'work.order': { number: 'char', unit: 'unit', parts: 'work.part', state: 'char' },
  'work.part': { unit: 'unit' },
  ...{ unit: UNIT, 'ir.model.button': BUTTON },
};
const earlier: Models = {
  'work.order': { number: 'char', post_number: 'char', uom: 'unit', parts: 'work.part', state: 'char' },
  'work.part': { uom: 'unit' },
  ...{ unit: UNIT, 'ir.model.button': BUTTON },
};

const firstRow = async (driver: TrytonDriver) => (await driver.pull({ stream, from: null, limit: 10 })).rows[0]?.row;
const paramsOf = (heard: readonly Heard[], method: string) => heard.find((call) => call.method === method)?.params;
const row = { id: 1, number: '7', state: 'done' };

test('a database with the later names is read with them, and rows have the names of the platform', async () => {
  const there = { ...row, 'unit.': { id: 5, symbol: 'kg' }, unit: 5, 'parts.': [{ id: 9, unit: 5 }] };
  const { driver, heard } = await driverFor(later, [], [there]);
  const read = { ...row, post_number: '7', uom: { id: 5, symbol: 'kg' }, parts: [{ id: 9, uom: 5 }] };
  expect(await firstRow(driver)).toEqual(read);
  const fields = ['id', 'number', 'unit.symbol', 'parts.unit', 'state'];
  expect(paramsOf(heard, 'model.work.order.search_read')?.[4]).toEqual(fields);
  const columns = (await driver.discover.columns(stream))?.map(({ name }) => name);
  expect(columns).toEqual(['id', 'number', 'post_number', 'uom', 'parts', 'state']);
});

test('a database with the earlier names is read as before', async () => {
  const there = { ...row, post_number: '8', 'uom.': { id: 5, symbol: 'kg' }, uom: 5, 'parts.': [{ id: 9, uom: 5 }] };
  const { driver, heard } = await driverFor(earlier, [], [there]);
  const read = { ...row, post_number: '8', uom: { id: 5, symbol: 'kg' }, parts: [{ id: 9, uom: 5 }] };
  expect(await firstRow(driver)).toEqual(read);
  const fields = ['id', 'number', 'post_number', 'uom.symbol', 'parts.uom', 'state'];
  expect(paramsOf(heard, 'model.work.order.search_read')?.[4]).toEqual(fields);
});

test.each([
  { series: 'later', models: later, written: { unit: 5 } },
  { series: 'earlier', models: earlier, written: { uom: 5 } },
])('values are written with the $series names', async ({ models, written }) => {
  const { driver, heard } = await driverFor(models, [], [row]);
  await driver.writes.update(stream, '1', { uom: 5, parts: [{ uom: 5 }] }, intent);
  expect(paramsOf(heard, 'model.work.order.write')).toEqual([[1], { ...written, parts: [['create', [written]]] }, {}]);
});

test.each([
  { series: 'later', buttons: ['do', 'wait'], pressed: 'do' },
  { series: 'earlier', buttons: ['done', 'wait'], pressed: 'done' },
])('a button of the $series series is pressed by its name, and known to the check', async ({ buttons, pressed }) => {
  const { driver, heard } = await driverFor(later, buttons, [row]);
  await driver.actions.act(stream, '1', 'done', {}, intent);
  expect(heard.map(({ method }) => method)).toContain(`model.work.order.${pressed}`);
  const use = { actions: ['done', 'undo'], writes: new Set<never>() };
  const { problems } = await driver.discover.probe(stream, use);
  expect(problems).toEqual(['undo: Tryton has no button "undo" in work.order']);
});
