import { describe, expect, test } from 'vitest';
import { asked, type RestSystem, reply, restSystem } from '../../test/rest-system.ts';
import type { PulledPage, Row } from '../driver.ts';
import type { Json } from '../json.ts';
import type { Paging } from './options.ts';

const table = (count: number): Row[] => Array.from({ length: count }, (_, index) => ({ id: index + 1 }));
const ids = async (system: RestSystem) => (await system.pullAll('things')).map(({ key }) => Number(key));
const idsTo = (count: number) => table(count).map(({ id }) => id);
const streams = (paging: Paging) => ({ things: { list: { address: '/things', rows: 'items', paging } } });

const offset: Paging = { offset: { parameter: 'skip', size: { parameter: 'take', most: 4 }, total: 'total' } };
const offsetInHeader: Paging = {
  offset: { parameter: 'skip', size: { parameter: 'take', most: 4 }, total: { header: 'X-Total' } },
};
const offsetOnly: Paging = { offset: { parameter: 'skip', size: { parameter: 'take', most: 4 } } };
const pages: Paging = { pages: { parameter: 'page', size: { parameter: 'size' }, total: 'total' } };
const token: Paging = { token: { path: 'cursor', parameter: 'after' } };
const nextInBody: Paging = { next: { path: 'links.next' } };
const nextInHeader: Paging = { next: {} };

/** A page of `rows` as requested, in every form of `Paging`. */
function pageOf(rows: readonly Row[], url: URL) {
  const number = (name: string, otherwise: number) => Number(url.searchParams.get(name) ?? otherwise);
  const size = number('take', number('size', 3));
  const begin = url.searchParams.has('page') ? (number('page', 1) - 1) * size : number('skip', number('after', 0));
  const end = begin + size;
  const more = end < rows.length;
  const next = more ? `/things?after=${end}` : null;
  return {
    body: { items: rows.slice(begin, end), total: rows.length, cursor: more ? end : null, links: { next } },
    headers: {
      'x-total': String(rows.length),
      ...(next && { link: `</things?after=0>; rel="first", <${next}>; rel="next"` }),
    },
  };
}

describe.each([
  ['an offset and a total', offset],
  ['an offset and a total in a header', offsetInHeader],
  ['an offset', offsetOnly],
  ['page numbers', pages],
  ['a token', token],
  ['addresses in the body', nextInBody],
  ['addresses in the header Link', nextInHeader],
])('a list with %s', (_, paging) => {
  test.each([0, 1, 2, 3, 4, 7, 9])('is read completely: %i rows', async (count) => {
    const system = await restSystem(
      (request, response) => {
        const { body, headers } = pageOf(table(count), asked(request));
        reply(response, body, headers as Record<string, string>);
      },
      { streams: streams(paging) },
    );
    expect(await ids(system)).toEqual(idsTo(count));
  });

  test('that returns the same page again is refused', async () => {
    const system = await restSystem(
      (_request, response) => {
        const page = { items: table(3), total: 9, cursor: 'x', links: { next: '/things?after=3' } };
        reply(response, page, { link: '</things?after=3>; rel=next' });
      },
      { streams: streams(paging) },
    );
    await expect(ids(system)).rejects.toMatchObject({ kind: 'invalid', words: expect.stringMatching(/again/) });
  });
});

test('a list whose pages repeat after some others is refused', async () => {
  const next = new Map([
    ['', 'a'],
    ['a', 'b'],
    ['b', 'c'],
    ['c', 'a'],
  ]);
  const system = await restSystem(
    (request, response) => {
      const after = asked(request).searchParams.get('after') ?? '';
      reply(response, { items: [{ id: after || 'first' }], cursor: next.get(after) });
    },
    { streams: streams(token) },
  );
  await expect(system.pullAll('things')).rejects.toMatchObject({ kind: 'invalid' });
});

test.each([
  ['an offset', offset],
  ['page numbers', pages],
])('a row that moves up because others are deleted during the pass is not skipped: %s', async (_, paging) => {
  const rows = table(10);
  let calls = 0;
  const system = await restSystem(
    (request, response) => {
      calls += 1;
      if (calls === 2) rows.splice(0, 2);
      reply(response, pageOf(rows, asked(request)).body);
    },
    { streams: streams(paging) },
  );
  expect([...new Set(await ids(system))].sort((a, b) => a - b)).toEqual(idsTo(10));
});

/** Page sizes with which the last page has one, two or all of its rows. */
const COUNTS = [8, 9, 10];

describe.each([
  ['an offset and a total', offset],
  ['an offset', offsetOnly],
  ['page numbers', pages],
])('no row is left out of a list with %s', (_, paging) => {
  /** Reads a list whose response number `faulty` is changed; calls that fail are repeated, as the service does. */
  async function readWith(faulty: number, count: number, change: (items: Row[], previous: Row[]) => Row[]) {
    let calls = 0;
    let previous: Row[] = [];
    const system = await restSystem(
      (request, response) => {
        calls += 1;
        const { body } = pageOf(table(count), asked(request));
        const items = calls === faulty ? change(body.items, previous) : body.items;
        previous = body.items;
        reply(response, { ...body, items });
      },
      { streams: streams(paging) },
    );
    const stream = system.stream('things');
    const found = new Set<number>();
    for (let from: Json | null = null, more = true; more; more = from !== null) {
      const pull = () => system.driver.pull({ stream, from, limit: 3 });
      const page: PulledPage = await pull().catch(pull);
      for (const { key } of page.rows) found.add(Number(key));
      from = page.next;
    }
    return [...found].sort((a, b) => a - b);
  }
  const everyPage = COUNTS.flatMap((count) => [1, 2, 3, 4].map((faulty) => [faulty, count] as const));

  test.each(everyPage)('if page %i of %i rows is in the reverse order', async (faulty, count) => {
    expect(await readWith(faulty, count, (items) => items.toReversed())).toEqual(idsTo(count));
  });

  test.each(everyPage)('if the page before is returned again instead of page %i of %i rows', async (faulty, count) => {
    const again = (items: Row[], previous: Row[]) => (previous.length > 0 ? previous : items);
    expect(await readWith(faulty, count, again)).toEqual(idsTo(count));
  });
});

test('a system that returns the end of the list for places after it is read completely', async () => {
  const system = await restSystem(
    (request, response) => {
      const { searchParams } = asked(request);
      const begin = Math.min(Number(searchParams.get('skip')), 10 - Number(searchParams.get('take')));
      reply(response, { items: table(10).slice(begin, begin + Number(searchParams.get('take'))), total: 10 });
    },
    { streams: streams(offset) },
  );
  expect([...new Set(await ids(system))]).toEqual(idsTo(10));
});

test('a list in a different order with each call is refused', async () => {
  let calls = 0;
  const system = await restSystem(
    (_request, response) => {
      calls += 1;
      const items = calls === 1 ? table(3) : [{ id: 1000 + calls }, { id: 3 }];
      reply(response, { items, total: 9 });
    },
    { streams: streams(offset) },
  );
  await expect(ids(system)).rejects.toMatchObject({ kind: 'invalid', words: expect.stringContaining('order') });
});

test('a pass over a list without a stable order is given up', async () => {
  let calls = 0;
  const system = await restSystem(
    (request, response) => {
      calls += 1;
      const rows = table(12).map(({ id }) => ({ id: ((Number(id) + 5 * calls) % 12) + 1 }));
      reply(response, pageOf(rows, asked(request)).body);
    },
    { streams: streams(offset) },
  );
  await expect(ids(system)).rejects.toMatchObject({ kind: 'rejected', words: expect.stringContaining('Sort it') });
  expect(calls).toBeLessThan(200);
});

test('a pass begins again if the row that it would continue after was deleted', async () => {
  const rows = table(9);
  let calls = 0;
  const system = await restSystem(
    (request, response) => {
      calls += 1;
      if (calls === 3) rows.splice(0, 7);
      reply(response, pageOf(rows, asked(request)).body);
    },
    { streams: streams(offset) },
  );
  expect(await ids(system)).toEqual(expect.arrayContaining([8, 9]));
});

test.each([
  ['an offset', offset],
  ['page numbers', pages],
])('a list that ends before its total is refused: %s', async (_, paging) => {
  const system = await restSystem(
    (request, response) => reply(response, { ...pageOf(table(5), asked(request)).body, total: 8 }),
    { streams: streams(paging) },
  );
  await expect(ids(system)).rejects.toMatchObject({
    kind: 'invalid',
    words: 'The system reports 8 rows but returns none after the first 5',
  });
});

test.each([
  ['is absent', {}, idsTo(5)],
  ['is empty', { 'x-total': '' }, idsTo(5)],
])('a list whose total in a header %s is read until a page is empty', async (_, headers, expected) => {
  const system = await restSystem(
    (request, response) => reply(response, pageOf(table(5), asked(request)).body, headers as Record<string, string>),
    { streams: streams(offsetInHeader) },
  );
  expect(await ids(system)).toEqual(expected);
});

test('a list whose total in a header is not a number is refused', async () => {
  const system = await restSystem((_, response) => reply(response, { items: table(1) }, { 'x-total': 'many' }), {
    streams: streams(offsetInHeader),
  });
  await expect(ids(system)).rejects.toMatchObject({ kind: 'invalid', words: expect.stringContaining('"X-Total"') });
});

test('the next page is not read from another host, which would receive the credentials', async () => {
  const system = await restSystem(
    (_request, response) => reply(response, { items: table(1), links: { next: 'http://127.0.0.1:9/things' } }),
    { streams: streams(nextInBody) },
  );
  await expect(ids(system)).rejects.toMatchObject({ kind: 'invalid' });
});
