import { fileURLToPath } from 'node:url';
import { loadPlatform, type Platform } from '@unified/connectors';
import { expect, test } from 'vitest';
import { httpServer } from '../../connectors/test/http-server.ts';
import { asked, reply } from '../../connectors/test/rest-system.ts';
import { completeChanges } from './checks/complete-changes.ts';
import { describedColumns } from './checks/described-columns.ts';
import type { ConformanceCheck } from './conformance-check.ts';
import { SystemUnderTest } from './system-under-test.ts';

interface Job {
  readonly id: number;
  readonly created: string;
  /** Null until the first change. */
  readonly updated: string | null;
}

/** Jobs of which every second one was changed. */
const jobs = (count: number): Job[] =>
  Array.from({ length: count }, (_, index) => ({
    ...{ id: index + 1, created: '2026-11-20T09:30:15Z' },
    updated: index % 2 === 0 ? '2026-11-21T09:30:15Z' : null,
  }));

/** The template for REST APIs, with a list of jobs. */
function platformOf(list: object, options: object): Platform {
  const platform = loadPlatform(fileURLToPath(new URL('../templates/rest', import.meta.url)));
  const detail = { address: '/jobs/{id}' };
  const stream = { name: 'jobs', key: ['id'], order: 0, cursor: 'updated', deletes: 'diff', pageSize: 100 } as const;
  const streams = [{ ...stream, options: { list: { rows: 'data', ...list }, detail, ...options } }];
  return { ...platform, mappings: {}, streams: streams as unknown as Platform['streams'] };
}

interface Api {
  readonly jobs: readonly Job[];
  /** Number of jobs that a list contains if the request names none. */
  readonly page?: number;
  /** The jobs that changed since a time, as far as the system can find them. */
  readonly changed: (job: Job, parameters: URLSearchParams) => boolean;
}

/** Runs a check of a server that has these jobs. */
async function outcomeOf(check: ConformanceCheck, api: Api, list: object, options: object) {
  const url = await httpServer((request, response) => {
    const { pathname, searchParams } = asked(request);
    if (pathname === '/me') return reply(response, {});
    const id = Number(/^\/jobs\/(\d+)$/.exec(pathname)?.[1]);
    if (id) return reply(response, api.jobs.find((job) => job.id === id) ?? {});
    const found = api.jobs.filter((job) => api.changed(job, searchParams));
    const [offset, limit] = [Number(searchParams.get('offset')), Number(searchParams.get('limit') ?? api.page ?? 1000)];
    return reply(response, { data: found.slice(offset, offset + limit) });
  });
  const settings = { url: url.href.replace(/\/$/, ''), token: 'secret', allowPrivateHosts: true };
  const system = new SystemUnderTest(platformOf(list, options), settings);
  return check.run(system).finally(() => system.close());
}

const paged = { address: '/jobs', paging: { offset: { parameter: 'offset', size: { parameter: 'limit' } } } };

test('rows without a date of change, which an incremental pass misses, are a finding', async () => {
  const api: Api = { jobs: jobs(9), changed: ({ updated }, given) => !given.has('since') || updated !== null };
  const outcome = await outcomeOf(completeChanges, api, paged, { changes: { parameter: 'since' } });
  expect(outcome).toEqual({
    result: 'failed',
    findings: [
      {
        place: 'jobs',
        problem:
          '4 of 9 rows have no "updated", and an incremental pass misses them: "2", "4", "6" and 1 more. Only full passes find such rows.',
        remedy: expect.stringContaining('request both dates'),
      },
    ],
  });
});

test('rows without a date of change are found if the condition names the date of creation as well', async () => {
  const changed: Api['changed'] = ({ created, updated }, given) => {
    if (!given.has('filter')) return true;
    const { or } = JSON.parse(given.get('filter') ?? '') as { or: Partial<Job>[] };
    return or.some((one) => (one.updated ? (updated ?? '') >= one.updated : created >= (one.created ?? '9')));
  };
  const changes = { parameter: 'filter', value: '{"or":[{"updated":"{since}"},{"created":"{since}"}]}' };
  const outcome = await outcomeOf(completeChanges, { jobs: jobs(9), changed }, paged, { changes });
  expect(outcome).toEqual({ result: 'passed', seen: '1 streams with a cursor' });
});

test('rows that only an incremental pass contains are a finding', async () => {
  const cut = { jobs: jobs(9), changed: ({ id }: Job, given: URLSearchParams) => given.has('since') || id < 6 };
  const outcome = await outcomeOf(completeChanges, cut, paged, { changes: { parameter: 'since' } });
  expect(outcome).toMatchObject({
    result: 'failed',
    findings: [{ problem: 'An incremental pass returns rows that a full pass lacks: "6", "7", "8" and 1 more.' }],
  });
});

test.each([
  ['as many rows as a page', { address: '/jobs' }, 100, 'The list has exactly 100 rows and no "paging".'],
  [
    ...(['as many rows as its address requests', { address: '/jobs?limit=7' }, 100] as const),
    'The list has exactly as many rows as its "limit" requests, 7, and no "paging".',
  ],
  [
    ...(['as many rows as a parameter requests', { address: '/jobs', parameters: { limit: 8 } }, 100] as const),
    'The list has exactly as many rows as its "limit" requests, 8, and no "paging".',
  ],
])('a list without paging that has %s is noted', async (_, list, page, words) => {
  const api: Api = { jobs: jobs(160), page, changed: () => true };
  const outcome = await outcomeOf(describedColumns, api, list, { changes: { parameter: 'since' } });
  const effect = 'If the system has more rows, the others are missing, and their records are deleted. Add "paging".';
  expect(outcome).toMatchObject({ result: 'passed', notes: [`jobs: ${words} ${effect}`] });
});

test.each([
  ['with paging', paged, 100],
  ['with a number of rows that is not the size of a page', { address: '/jobs' }, 97],
])('a list %s is not noted', async (_, list, page) => {
  const api: Api = { jobs: jobs(160), page, changed: () => true };
  const outcome = await outcomeOf(describedColumns, api, list, { changes: { parameter: 'since' } });
  expect(outcome).toEqual({ result: 'passed', seen: '1 streams, 1 of them with their columns' });
});
