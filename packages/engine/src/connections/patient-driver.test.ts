import { type Driver, partOf } from '@unified/connectors';
import { afterAll, expect, test } from 'vitest';
import { openFaultyDriver } from '../../test/faulty-driver.ts';
import { stream } from '../../test/faulty-platform.ts';
import { startFaultySystem } from '../../test/faulty-system.ts';
import { patientDriver } from './patient-driver.ts';

const system = await startFaultySystem();
afterAll(() => system.close());

const faulty = openFaultyDriver(system.url);
const page = { items: [], next: null };
/** The driver of the system, with the optional parts that it does not have. */
const driver: Driver = {
  ...faulty,
  version: (given) => faulty.read(given, '1').then(() => 1),
  changes: {
    ...partOf(faulty, 'changes'),
    reported: (given) => faulty.read(given, '1').then(() => []),
  },
  discover: {
    ...faulty.discover,
    columns: (given) => faulty.read(given, '1').then(() => null),
    unwatched: (given) => faulty.read(given, '1').then(() => []),
    written: (given) =>
      faulty
        .read(given, '1')
        .then(() => ({ table: 'rows', columns: [], lists: new Map(), actions: new Set<string>() })),
    catalog: {
      tables: () => faulty.read(stream, '1').then(() => page),
      columns: () => faulty.read(stream, '1').then(() => page),
      lists: () => faulty.read(stream, '1').then(() => []),
      listedName: (table) => table,
      options: () => faulty.read(stream, '1').then(() => ({})),
      optionsFor: () => faulty.read(stream, '1').then(() => ({})),
    },
  },
};
const request = { stream, from: null, limit: 1 };
const use = { actions: [], writes: new Set<never>() };

test.each<[string, (patient: Driver) => Promise<unknown> | undefined]>([
  ['check', (patient) => patient.check()],
  ['pull', (patient) => patient.pull(request)],
  ['read', (patient) => patient.read(stream, '1')],
  ['version', (patient) => patient.version?.(stream)],
  ['changes.mark', (patient) => patient.changes?.mark(stream)],
  ['changes.pull', (patient) => patient.changes?.pull({ ...request, since: 0 })],
  ['changes.reported', (patient) => patient.changes?.reported?.(stream)],
  ['discover.columns', (patient) => patient.discover?.columns(stream)],
  ['discover.unwatched', (patient) => patient.discover?.unwatched?.(stream)],
  ['discover.written', (patient) => patient.discover?.written?.(stream)],
  ['discover.probe', (patient) => patient.discover?.probe(stream, use)],
  ['discover.catalog.tables', (patient) => patient.discover?.catalog?.tables({ from: null })],
  ['discover.catalog.columns', (patient) => patient.discover?.catalog?.columns('rows', { from: null })],
  ['discover.catalog.lists', (patient) => patient.discover?.catalog?.lists?.('rows')],
  ['discover.catalog.options', (patient) => patient.discover?.catalog?.options?.('rows')],
  ['discover.catalog.optionsFor', (patient) => patient.discover?.catalog?.optionsFor?.('rows', [])],
])('%s waits as long as the system requests', async (_, call) => {
  const waits: number[] = [];
  const patient = patientDriver(driver, async (seconds) => void waits.push(seconds));
  system.faults.read.push('busy', 'busy');
  await call(patient);
  expect([waits, system.faults.read]).toEqual([[1, 1], []]);
});

test('a read that waits for more than five minutes in all fails', async () => {
  let waited = 0;
  const wait = async (seconds: number) => {
    waited += seconds;
  };
  system.faults.read.push(...Array.from({ length: 301 }, () => 'busy' as const));
  await expect(patientDriver(driver, wait).check()).rejects.toMatchObject({ kind: 'throttled', retryAfter: 1 });
  expect([waited, system.faults.read]).toEqual([300, []]);
});

test('a write is sent once', async () => {
  const patient = patientDriver(driver, () => expect.fail('The write was repeated.'));
  const intent = { writeId: 'w', position: null, sentAt: new Date().toISOString() };
  system.faults.write.push('busy');
  await expect(patient.writes?.create(stream, { name: 'ACME' }, intent)).rejects.toMatchObject({ kind: 'throttled' });
  expect([patient.discover?.catalog?.listedName?.('rows'), system.log]).toEqual(['rows', []]);
});
