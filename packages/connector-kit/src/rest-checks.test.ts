import { fileURLToPath } from 'node:url';
import { loadPlatform, type Platform } from '@unified/connectors';
import { describe, expect, test } from 'vitest';
import { httpServer } from '../../connectors/test/http-server.ts';
import { asked, reply } from '../../connectors/test/rest-system.ts';
import { completeChanges } from './checks/complete-changes.ts';
import { describedColumns } from './checks/described-columns.ts';
import { missingRows } from './checks/missing-rows.ts';
import { readableStreams } from './checks/readable-streams.ts';
import { refusedCredentials } from './checks/refused-credentials.ts';
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

function withFailures(platform: Platform, failures: object): Platform {
  return { ...platform, options: { ...platform.options, failures } as unknown as Platform['options'] };
}

interface Api {
  readonly jobs: readonly Job[];
  /** Number of jobs that a list contains if the request names none. */
  readonly page?: number;
  /** The jobs that changed since a time, as far as the system can find them. */
  readonly changed: (job: Job, parameters: URLSearchParams) => boolean;
  /** The status with which the system refuses a call, if it does. */
  readonly refusal?: (path: string, token: string) => number | undefined;
}

/** Runs a check of a server that has these jobs. */
async function outcomeOf(check: ConformanceCheck, api: Api, list: object, options: object, failures: object = {}) {
  const url = await httpServer((request, response) => {
    const { pathname, searchParams } = asked(request);
    const status = api.refusal?.(pathname, request.headers.authorization ?? '');
    if (status) return response.writeHead(status).end(JSON.stringify({ errors: [{ message: "You can't do this." }] }));
    if (pathname === '/me') return reply(response, {});
    const id = Number(/^\/jobs\/(\d+)$/.exec(pathname)?.[1]);
    if (id) return reply(response, api.jobs.find((job) => job.id === id) ?? {});
    const found = api.jobs.filter((job) => api.changed(job, searchParams));
    const [offset, limit] = [Number(searchParams.get('offset')), Number(searchParams.get('limit') ?? api.page ?? 1000)];
    return reply(response, { data: found.slice(offset, offset + limit) });
  });
  const settings = { url: url.href.replace(/\/$/, ''), token: 'secret', allowPrivateHosts: true };
  const system = new SystemUnderTest(withFailures(platformOf(list, options), failures), settings);
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

const messages = { default: { messages: ['errors.message'] } };
const incremental = { changes: { parameter: 'since' } };

test('a message that ends with a period is shown with one period', async () => {
  const api: Api = { jobs: jobs(3), changed: () => true, refusal: (path) => (path === '/jobs' ? 403 : undefined) };
  const outcome = await outcomeOf(describedColumns, api, paged, incremental, messages);
  expect(outcome).toMatchObject({ result: 'failed', findings: [{ place: 'jobs', problem: "You can't do this." }] });
});

test('a page that the system refuses is a finding, which names the maximum size', async () => {
  const api: Api = { jobs: jobs(3), changed: () => true, refusal: (path) => (path === '/jobs' ? 400 : undefined) };
  const outcome = await outcomeOf(readableStreams, api, paged, incremental, messages);
  const remedy = expect.stringContaining('If "limit" is more than the system allows, name its maximum in `size.most`');
  expect(outcome).toMatchObject({ result: 'failed', findings: [{ problem: "You can't do this.", remedy }] });
});

describe('a row that does not exist', () => {
  const refusal: Api['refusal'] = (path) => (path === '/jobs/100012' ? 403 : undefined);
  const api: Api = {
    jobs: jobs(9),
    changed: ({ id }, given) => !given.has('filter[id][_eq]') || given.get('filter[id][_eq]') === String(id),
    refusal,
  };

  test('and is refused is a finding, which names a way to read it from a list', async () => {
    const outcome = await outcomeOf(missingRows, api, paged, incremental, messages);
    const problem = 'Reading "100012", which no row has, is refused: You can\'t do this.';
    const remedy = expect.stringContaining("address: '/things?id={id}'");
    expect(outcome).toEqual({ result: 'failed', findings: [{ place: 'jobs', problem, remedy }] });
  });

  test('is not found if rows are read with a condition on the key', async () => {
    const detail = { address: '/jobs?filter[id][_eq]={id}', row: 'data' };
    const outcome = await outcomeOf(missingRows, api, paged, { ...incremental, detail }, messages);
    expect(outcome).toEqual({ result: 'passed', seen: '1 streams' });
  });
});

describe('a refusal of a wrong token', () => {
  const api: Api = {
    ...{ jobs: jobs(3), changed: () => true },
    refusal: (_, token) => (token === 'Bearer secret' ? undefined : 401),
  };

  test('is noted if no message is found in it', async () => {
    const wrong = { default: { messages: ['error.message'] } };
    expect(await outcomeOf(refusedCredentials, api, paged, incremental, wrong)).toMatchObject({
      result: 'passed',
      notes: [expect.stringMatching(/No message was found in the refusal of a wrong token, .*You can't do this/)],
    });
  });

  test('is not noted if its message is found in a list of errors', async () => {
    const outcome = await outcomeOf(refusedCredentials, api, paged, incremental, messages);
    expect(outcome).toEqual({ result: 'passed', seen: 'token' });
  });
});
