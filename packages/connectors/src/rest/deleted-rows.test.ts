import { expect, test } from 'vitest';
import { limitedPass } from '../../test/limited-pass.ts';
import { asked, type RestSystem, reply, restSystem } from '../../test/rest-system.ts';

const since = new Date(Date.now() - 3_600_000).toISOString();

/** What an API with a log of its changes contains. */
interface Source {
  /** Ids of its jobs. */
  readonly jobs: Set<number>;
  /** Entries of its log, each with its own id. */
  readonly log: readonly unknown[];
  /** Status of every call for a job and for the user, instead of the data. */
  status?: { job?: number; user?: number };
  /** Number of calls that are accepted until the caller waits. */
  accepted?: number;
}

interface Given {
  readonly key?: string | readonly string[];
  readonly days?: number;
}

/** A stream of jobs whose deletes are in the log. */
function systemOf(source: Source, { key, days = 29 }: Given = {}): Promise<RestSystem> {
  const job = /^\/jobs\/(\d+)$/;
  return restSystem(
    (request, response) => {
      if (source.accepted === 0) return response.writeHead(429, { 'retry-after': '0' }).end();
      if (source.accepted !== undefined) source.accepted -= 1;
      const { pathname } = asked(request);
      const id = Number(job.exec(pathname)?.[1]);
      const status = pathname === '/me' ? source.status?.user : pathname !== '/jobs' && id && source.status?.job;
      if (status) return response.writeHead(status).end();
      if (pathname === '/log') return reply(response, { entries: source.log });
      if (pathname === '/me') return reply(response, {});
      if (pathname === '/jobs') return reply(response, { items: [] });
      return source.jobs.has(id) ? reply(response, { id }) : response.writeHead(404).end();
    },
    {
      streams: {
        jobs: {
          list: { address: '/jobs', rows: 'items' },
          detail: { address: '/jobs/{id}' },
          changes: { parameter: 'since' },
          deleted: {
            ...{ address: '/log', parameters: { since: '{since}' }, rows: 'entries', only: { action: ['delete'] } },
            ...(key !== undefined && { key }),
            days,
          },
        },
      },
    },
  );
}

/** The keys that an incremental pass reports as deleted, and the number of its pages. */
async function passOver(
  { driver, stream }: RestSystem,
  waits: () => void = () => undefined,
): Promise<{ deleted: string[]; pages: number }> {
  const request = { stream: stream('jobs'), limit: 3, since };
  const pages = await limitedPass((from) => driver.changes.pull({ ...request, from }).catch(refused));
  return { deleted: pages.flatMap(({ deleted = [] }) => deleted), pages: pages.length };

  function refused(error: unknown): never {
    waits();
    throw error;
  }
}

const entry = (id: number, item: unknown, action = 'delete') => ({ id, item, action });

test('the key of a deleted row is where the platform names it', async () => {
  const source = { jobs: new Set([1, 2, 7]), log: [entry(1, '5'), entry(2, 6), entry(3, '7', 'update')] };
  expect((await passOver(await systemOf(source, { key: 'item' }))).deleted).toEqual(['5', '6']);
});

test('a row that can still be read is not deleted: it was created again, or the list has other keys', async () => {
  const source = { jobs: new Set([1, 2]), log: [entry(1, '5'), entry(2, '2')] };
  expect((await passOver(await systemOf(source))).deleted).toEqual([]);
  expect((await passOver(await systemOf(source, { key: 'item' }))).deleted).toEqual(['5']);
});

test.each([[{ item: '5', action: 'delete' }], [{ id: null, item: '5', action: 'delete' }]])(
  'a reported row without the key is an error: %j',
  async (row) => {
    const pass = passOver(await systemOf({ jobs: new Set(), log: [row] }));
    await expect(pass).rejects.toMatchObject({
      kind: 'invalid',
      words: expect.stringMatching(
        /no "id"; it contains .*"item".* Name the property with the key in "key" of "deleted"/,
      ),
    });
  },
);

test('rows are not deleted because they are hidden from a user without access', async () => {
  const source = { jobs: new Set<number>(), log: [entry(1, '5')], status: { user: 403 } };
  const pass = passOver(await systemOf(source, { key: 'item' }));
  await expect(pass).rejects.toMatchObject({ kind: 'forbidden' });
});

test('many reported rows are read page by page', async () => {
  const log = Array.from({ length: 120 }, (_, index) => entry(index, 1000 + index));
  const { deleted, pages } = await passOver(await systemOf({ jobs: new Set([1001]), log }, { key: 'item' }));
  expect([deleted.length, new Set(deleted).size, pages]).toEqual([119, 119, 4]);
  expect(deleted).not.toContain('1001');
});

test.each([2, 3, 8, 21, 22])(
  'a pass over 20 reported rows ends if the system accepts %i calls before it pauses',
  async (accepted) => {
    const log = Array.from({ length: 20 }, (_, index) => entry(index, 1000 + index));
    const source: Source = { jobs: new Set([1001]), log, accepted };
    const { deleted } = await passOver(await systemOf(source, { key: 'item' }), () => {
      source.accepted = accepted;
    });
    expect(deleted).toEqual(log.map(({ item }) => `${item}`).filter((key) => key !== '1001'));
  },
);

test.each([
  ['NUL', 'a\0b'],
  ['a lone surrogate', '\ud800x'],
  ['too long', 'k'.repeat(1_000_000)],
  ['empty', ''],
])('a reported row whose key is %s is an error of the stream', async (_, item) => {
  const pass = passOver(await systemOf({ jobs: new Set(), log: [entry(1, item)] }, { key: 'item' }));
  await expect(pass).rejects.toMatchObject({ kind: 'invalid', words: expect.stringMatching(/deleted rows of jobs/) });
});

test('all keys that the system reports can be listed, including those of rows that it has', async () => {
  const source = { jobs: new Set([6]), log: [entry(1, '6'), entry(2, '5')] };
  const system = await systemOf(source, { key: 'item', days: 0.5 });
  expect(await system.driver.changes.reported?.(system.stream('jobs'))).toEqual(['5', '6']);
});
