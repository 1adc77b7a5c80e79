import { fileURLToPath } from 'node:url';
import {
  type ChangesRequest,
  type Driver,
  loadPlatform,
  openDriver,
  type PulledPage,
  partOf,
  type RawRow,
  type Row,
  SystemError,
} from '@unified/connectors';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type BookFile, bookPlatform, createBookFile } from '../test/book-file.ts';
import { startSupplierApi } from '../test/supplier-api.ts';
import { runChecks } from './run-checks.ts';
import { SystemUnderTest } from './system-under-test.ts';

let file: BookFile;

beforeAll(() => {
  file = createBookFile();
  vi.stubEnv('SQLITE_FOLDER', file.folder);
});
afterAll(() => {
  vi.unstubAllEnvs();
  file.remove();
});

/** Names of the checks that fail. */
async function failed(system: SystemUnderTest): Promise<string[]> {
  const { results } = await runChecks(system).finally(() => system.close());
  return results.filter(({ outcome }) => outcome.result === 'failed').map(({ check: { name } }) => name);
}

/** The driver, with changed rows in full passes. */
function pulling(driver: Driver, change: (page: PulledPage, limit: number) => readonly RawRow[]): Driver {
  return {
    ...driver,
    async pull(request) {
      const page = await driver.pull(request);
      return { ...page, rows: change(page, request.limit) };
    },
  };
}

/** The driver, with changed rows in incremental passes. */
function changing(driver: Driver, change: (page: PulledPage) => readonly RawRow[]): Driver {
  const changes = partOf(driver, 'changes');
  const pull = async (request: ChangesRequest) => {
    const page = await changes.pull(request);
    return { ...page, rows: change(page) };
  };
  return { ...driver, changes: { mark: (...of) => changes.mark(...of), pull } };
}

/** The driver, with changed values however a row is read. */
function converting(driver: Driver, change: (row: Row) => Row): Driver {
  const rows = ({ rows: read }: PulledPage) => read.map((each) => ({ ...each, row: change(each.row) }));
  const read: Driver['read'] = async (...of) => {
    const row = await driver.read(...of);
    return row && change(row);
  };
  return { ...changing(pulling(driver, rows), rows), read };
}

const renamed = ({ rows }: PulledPage) => rows.map((each) => ({ ...each, row: { ...each.row, name: 'Another' } }));

const broken: readonly (readonly [check: string, how: string, breaks: (driver: Driver) => Driver])[] = [
  [
    ...(['sign-in', 'credentials are refused'] as const),
    (driver) => ({ ...driver, check: () => Promise.reject(new SystemError('unauthorized', 'Wrong password')) }),
  ],
  [
    ...(['readable-streams', 'a stream cannot be read'] as const),
    (driver) => ({
      ...driver,
      async pull(request) {
        if (request.stream.name === 'article') throw new SystemError('rejected', 'No such table');
        return driver.pull(request);
      },
    }),
  ],
  ['unique-keys', 'a row appears twice', (driver) => pulling(driver, ({ rows }) => [...rows, ...rows.slice(0, 1)])],
  [
    ...(['page-sizes', 'a small page lacks its last row'] as const),
    (driver) => pulling(driver, ({ rows }, limit) => (limit < 50 ? rows.slice(0, -1) : rows)),
  ],
  [
    ...(['page-sizes', 'a small page has other values'] as const),
    (driver) => pulling(driver, (page, limit) => (limit < 50 ? renamed(page) : page.rows)),
  ],
  [
    ...(['single-rows', 'another row is read by a key'] as const),
    (driver) => ({ ...driver, read: (stream, key) => driver.read(stream, key === '1' ? '2' : key) }),
  ],
  [
    ...(['missing-rows', 'a row is read by a key that does not exist'] as const),
    (driver) => ({ ...driver, read: async (stream, key) => (await driver.read(stream, key)) ?? { name: 'Another' } }),
  ],
  [
    ...(['complete-changes', 'an incremental pass lacks a row'] as const),
    (driver) => changing(driver, ({ rows }) => rows.filter(({ key }) => key !== '1')),
  ],
  ['quiet-changes', 'an incremental pass has other values', (driver) => changing(driver, renamed)],
  [
    ...(['quiet-changes', 'an incremental pass has rows that do not exist'] as const),
    (driver) => changing(driver, ({ rows }) => [{ key: '99', row: { name: 'Another' } }, ...rows]),
  ],
  [
    ...(['quiet-changes', 'a row that exists is reported as deleted'] as const),
    (driver) => ({ ...driver, changes: { ...partOf(driver, 'changes'), reported: async () => ['98', '1'] } }),
  ],
  [
    ...(['convertible-values', 'a text is a list'] as const),
    (driver) => converting(driver, (row) => ({ ...row, name: ['a', { b: 1 }] })),
  ],
];

test.each(broken)('%s fails, and no other check, if %s', async (check, _how, breaks) => {
  const open: typeof openDriver = (...of) => breaks(openDriver(...of));
  const platform = bookPlatform(() => ({ cursor: 'version' }));
  expect(await failed(new SystemUnderTest(platform, file.settings, { open }))).toEqual([check]);
});

test('filled-fields fails, and no other check, if no row becomes a record', async () => {
  const platform = bookPlatform(() => ({ cursor: 'version' }));
  const mappings = Object.entries(platform.mappings).map(([entity, mapping]) => [
    entity,
    { ...mapping, read: () => null },
  ]);
  const empty = { ...platform, mappings: Object.fromEntries(mappings) };
  expect(await failed(new SystemUnderTest(empty, file.settings))).toEqual(['filled-fields']);
});

test('refused-credentials fails, and no other check, if a wrong token is accepted', async () => {
  const api = await startSupplierApi();
  const platform = loadPlatform(fileURLToPath(new URL('../templates/rest', import.meta.url)));
  const open: typeof openDriver = (...of) => ({ ...openDriver(...of), check: () => Promise.resolve() });
  try {
    expect(await failed(new SystemUnderTest(platform, api.settings, { open }))).toEqual(['refused-credentials']);
  } finally {
    await api.close();
  }
});
