import { describe, expect, test } from 'vitest';
import { httpServer } from '../../test/http-server.ts';
import { PARTNERS_V2 } from '../../test/odata/descriptions.ts';
import { driverFor, streamOf } from '../../test/odata/odata-platform.ts';
import { orderOf, startOrderService } from '../../test/odata/order-service.ts';
import type { PulledPage, RawRow } from '../driver.ts';
import type { Json } from '../json.ts';
import type { ODataDriver } from './open-odata.ts';

const orders = streamOf('Orders', { cursor: 'changedAt' });
const numbered = (count: number) =>
  Array.from({ length: count }, (_, index) => orderOf(`O-${String(index).padStart(3, '0')}`));

/** Keys of all pages, and the number of pages. */
async function keysOf(driver: ODataDriver, limit: number): Promise<{ keys: string[]; pages: number }> {
  const rows: RawRow[] = [];
  let pages = 0;
  for (let from: Json | null = null; pages < 50; pages += 1) {
    const page: PulledPage = await driver.pull({ stream: orders, from, limit });
    rows.push(...page.rows);
    from = page.next;
    if (from === null) return { keys: rows.map(({ key }) => key), pages: pages + 1 };
  }
  throw new Error('The pass does not end.');
}

describe('a pass reads every row once', () => {
  test.each([
    ['by its own keys', {}, 5],
    ['by the links of a server with smaller pages', { pageSize: 3 }, 8],
    ['by the links of a server with larger pages', { pageSize: 100 }, 5],
    ['of a server with smaller pages without links', { pageSize: 3, withoutLinks: true }, 6],
  ])('%s', async (_, options, pages) => {
    const service = await startOrderService(numbered(14), options);
    const read = await keysOf(driverFor(service.url), 4);
    expect(read).toEqual({ keys: numbered(14).map(({ number }) => number), pages });
  });

  test('if a page ends with the last row', async () => {
    const service = await startOrderService(numbered(8));
    expect((await keysOf(driverFor(service.url), 4)).keys).toHaveLength(8);
  });

  test('with a restart in between', async () => {
    const service = await startOrderService(numbered(5), { pageSize: 2 });
    const first = await driverFor(service.url).pull({ stream: orders, from: null, limit: 4 });
    const next: Json = JSON.parse(JSON.stringify(first.next));
    const second = await driverFor(service.url).pull({ stream: orders, from: next, limit: 4 });
    expect([...first.rows, ...second.rows].map(({ key }) => key)).toEqual(['O-000', 'O-001', 'O-002', 'O-003']);
  });
});

describe.each([
  ['its own keys', {}],
  ['the links of a server with smaller pages', { pageSize: 3 }],
])('no row is left out of a pass by %s', (_, options) => {
  /** Reads orders from a service whose list number `faulty` is changed; calls that fail are repeated, as the service does. */
  async function readWith(faulty: number, change: (list: string, previous: string | undefined) => string) {
    const lists: string[] = [];
    const service = await startOrderService(numbered(10), {
      ...options,
      before({ path }, response) {
        if (!path.endsWith('/Orders')) return false;
        const end = response.end.bind(response);
        response.end = (list: unknown) => {
          const [previous, now] = [lists.at(-1), String(list)];
          lists.push(now);
          return end(lists.length === faulty ? change(now, previous) : now);
        };
        return false;
      },
    });
    const driver = driverFor(service.url);
    const keys = new Set<string>();
    for (let from: Json | null = null, more = true; more; more = from !== null) {
      const pull = () => driver.pull({ stream: orders, from, limit: 4 });
      const page: PulledPage = await pull().catch(pull);
      for (const { key } of page.rows) keys.add(key);
      from = page.next;
    }
    return [...keys].sort();
  }
  const all = numbered(10).map(({ number }) => number);

  test.each([1, 2, 3, 4, 5])('if page %i is in the reverse order', async (faulty) => {
    const reversed = (list: string) => {
      const { value, ...rest } = JSON.parse(list);
      return JSON.stringify({ ...rest, value: value.toReversed() });
    };
    expect(await readWith(faulty, reversed)).toEqual(all);
  });

  test.each([1, 2, 3, 4, 5])('if the page before is returned again instead of page %i', async (faulty) => {
    expect(await readWith(faulty, (list, previous) => previous ?? list)).toEqual(all);
  });

  test.each([2, 3, 4, 5])('if page %i is empty and the last one of its links', async (faulty) => {
    const empty = (list: string, previous = '{}') => {
      const { value: _, ...rest } = JSON.parse(list);
      const followsLink = JSON.parse(previous)['@odata.nextLink'] !== undefined;
      return followsLink ? JSON.stringify({ '@odata.context': rest['@odata.context'], value: [] }) : list;
    };
    expect(await readWith(faulty, empty)).toEqual(all);
  });
});

test('a row has every digit of its numbers, and expanded lines', async () => {
  const lines = [{ order_number: "O'1/2", position: 1, item: 'Bolt', quantity: '0.125' }];
  const total = '123456789012345678901.2345';
  const service = await startOrderService([orderOf("O'1/2", { total, count: '9007199254740993', lines })]);
  const stream = streamOf('Orders', { options: { expand: ['lines'] } });
  const driver = driverFor(service.url);
  const { rows } = await driver.pull({ stream, from: null, limit: 10 });
  expect(rows).toMatchObject([{ key: "O'1%2F2", row: { total, count: '9007199254740993', lines } }]);
  expect(await driver.read(stream, "O'1%2F2")).toMatchObject({ number: "O'1/2", total, lines });
  expect(await driver.read(stream, 'none')).toBeNull();
});

describe('the lines of orders as a stream of their own', () => {
  const lines = streamOf('Lines', {
    key: ['order_number', 'position'],
    cursor: 'changedAt',
    options: { within: { set: 'Orders', list: 'lines' } },
  });
  const withLines = (number: string, count: number, changedAt = '2026-11-20T09:30:00Z') => {
    const line = (position: number) => ({ order_number: number, position, item: 'Bolt', quantity: '1' });
    return orderOf(number, { changedAt, lines: Array.from({ length: count }, (_, index) => line(index + 1)) });
  };
  const stored = [withLines('A', 2), withLines('B', 0), withLines('C', 1, '2026-11-21T09:30:00Z'), withLines('D', 1)];
  const all = ['A/1', 'A/2', 'C/1', 'D/1'];

  async function pulled(driver: ODataDriver, since?: Json): Promise<string[]> {
    const keys: string[] = [];
    for (let from: Json | null = null; ; ) {
      const request = { stream: lines, from, limit: 1 };
      const page: PulledPage = await (since === undefined
        ? driver.pull(request)
        : driver.changes.pull({ ...request, since }));
      keys.push(...page.rows.map(({ key }) => key));
      from = page.next;
      if (from === null) return keys;
    }
  }

  test.each([
    ['by the keys of the orders', {}],
    ['by the links of the server', { pageSize: 3 }],
  ])('are read %s, even if an order has none', async (_, options) => {
    const service = await startOrderService(stored, options);
    expect(await pulled(driverFor(service.url))).toEqual(all);
  });

  test('are read for the orders that changed', async () => {
    const service = await startOrderService(stored);
    expect(await pulled(driverFor(service.url), '2026-11-21T00:00:00.000Z')).toEqual(['C/1']);
  });

  test('are refused if the service does not have the list or the cursor', async () => {
    const service = await startOrderService(stored);
    const wrong = { ...lines, cursor: 'altered', options: { within: { set: 'Orders', list: 'rows' } } };
    const pulling = driverFor(service.url).pull({ stream: wrong, from: null, limit: 1 });
    await expect(pulling).rejects.toMatchObject({
      words: 'The service has no altered in Orders ("cursor"), and no rows in Orders ("within")',
    });
  });
});

describe('a record', () => {
  const xml = '<?xml version="1.0"?>\n<error xmlns="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata"/>';
  test.each([
    ['a V4 error', '{"error":{"code":"X","message":""}}', true],
    ['an XML error', xml, true],
    ['nothing', '', false],
    ['a page', '<html><body>Not found</body></html>', false],
    ['JSON of another program', '{"message":"no Route matched with those values"}', false],
  ])('does not exist if the service returns 404 with an OData error: %s', async (_, body, isAbsent) => {
    const service = await startOrderService([], {
      before: ({ path }, response) => {
        if (path.endsWith(')')) response.writeHead(404).end(body);
        return path.endsWith(')');
      },
    });
    const reading = driverFor(service.url).read(orders, '1');
    if (isAbsent) await expect(reading).resolves.toBeNull();
    else await expect(reading).rejects.toMatchObject({ kind: 'invalid' });
  });
});

test('an incremental pass reads rows changed since the mark', async () => {
  const service = await startOrderService([
    orderOf('old', { changedAt: '2020-01-01T00:00:00Z' }),
    orderOf('new', { changedAt: '2999-01-01T00:00:00Z' }),
  ]);
  const driver = driverFor(service.url);
  const since = await driver.changes.mark(orders);
  const page = await driver.changes.pull({ stream: orders, from: null, limit: 10, since });
  expect(page.rows.map(({ key }) => key)).toEqual(['new']);
  const overlap = Date.now() - Date.parse(String(since));
  expect(overlap).toBeGreaterThan(290_000);
});

describe('a next page that', () => {
  const next = async (link: string) => {
    const service = await startOrderService([], {
      before: ({ path }, response) => {
        if (!path.endsWith('/Orders')) return false;
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify({ value: [{ number: '1' }], '@odata.nextLink': link }));
        return true;
      },
    });
    return driverFor(service.url);
  };

  test.each([
    ['is on another host', 'https://other.example/odata/orders/Orders?$skiptoken=1'],
    ['is outside the service', '/odata/other/Orders?$skiptoken=1'],
    ['leaves the service', '../other/Orders'],
    ['is not an address', 'http://'],
  ])('%s is refused', async (_, link) => {
    const driver = await next(link);
    await expect(driver.pull({ stream: orders, from: null, limit: 10 })).rejects.toMatchObject({
      kind: 'invalid',
      words: 'The service continues a list at another address, which is not called. Check the setting "url"',
    });
  });

  test('was read before is refused', async () => {
    const service = await startOrderService([], {
      before: ({ path, query }, response) => {
        if (!path.endsWith('/Orders')) return false;
        const page = Number(query.skiptoken ?? 0);
        response.setHeader('content-type', 'application/json');
        const value = page === 0 ? [{ number: '0' }] : [];
        response.end(JSON.stringify({ value, '@odata.nextLink': `Orders?$skiptoken=${(page % 3) + 1}` }));
        return true;
      },
    });
    await expect(keysOf(driverFor(service.url), 10)).rejects.toMatchObject({ kind: 'invalid' });
  });

  test('is the same again is refused', async () => {
    const driver = await next('Orders?$skiptoken=7');
    const { next: from } = await driver.pull({ stream: orders, from: null, limit: 10 });
    await expect(driver.pull({ stream: orders, from, limit: 10 })).rejects.toMatchObject({ kind: 'invalid' });
  });
});

test('a service that ignores the condition on the key does not make a pass endless', async () => {
  const service = await startOrderService([], {
    before: ({ path }, response) => {
      if (!path.endsWith('/Orders')) return false;
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ value: [{ number: '1' }, { number: '2' }] }));
      return true;
    },
  });
  await expect(keysOf(driverFor(service.url), 2)).rejects.toMatchObject({ kind: 'invalid' });
});

test('V2 is read with its own paging, literals and lists', async () => {
  const queries: string[] = [];
  const url = await httpServer((request, response) => {
    const { pathname, search } = new URL(request.url ?? '', 'http://service');
    if (pathname.endsWith('$metadata')) return response.end(PARTNERS_V2);
    queries.push(decodeURIComponent(search));
    response.setHeader('content-type', 'application/json;charset=utf-8');
    const entity = (Partner: string) => ({ Partner, Created: '/Date(0)/', Limit: '1.50', to_Address: { results: [] } });
    const isFirst = queries.length === 1;
    const next = isFirst ? { __next: new URL("/v2/A_Partner?$skiptoken='2'", url).href } : {};
    return response.end(JSON.stringify({ d: { results: [entity(isFirst ? '1' : '2')], ...next } }));
  });
  const driver = driverFor(new URL('/v2', url).href);
  const options = { select: ['Name', 'Limit', 'None'], expand: ['to_Address'], filter: "Name ne ''" };
  const stream = streamOf('A_Partner', { key: ['Partner'], cursor: 'Created', options });
  const request = { stream, limit: 5, since: '2026-11-20T09:30:00.000Z' };
  const first = await driver.changes.pull({ ...request, from: null });
  const second = await driver.changes.pull({ ...request, from: first.next });
  expect(first.rows).toEqual([
    { key: '1', row: { Partner: '1', Created: '1970-01-01', Limit: '1.50', to_Address: [] } },
  ]);
  expect(second).toMatchObject({ rows: [{ key: '2' }], next: { after: '2' } });
  expect(queries).toEqual([
    "?$select=Partner,Created,Name,Limit,to_Address&$expand=to_Address&$filter=(Name ne '') and (Created ge datetime'2026-11-19T00:00:00')&$orderby=Partner asc&$top=5",
    "?$skiptoken='2'",
  ]);
});

test('changes by an Edm.DateTime, which has no zone, are read from a day before the mark', async () => {
  const queries: string[] = [];
  const url = await httpServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://service');
    if (pathname.endsWith('$metadata'))
      return response.end(PARTNERS_V2.toString().replace('s:display-format="Date"', ''));
    queries.push(searchParams.get('$filter') ?? '');
    return response.setHeader('content-type', 'application/json').end('{"d":{"results":[]}}');
  });
  const stream = streamOf('A_Partner', { key: ['Partner'], cursor: 'Created' });
  await driverFor(url.href).changes.pull({ stream, from: null, limit: 5, since: '2026-11-20T09:30:00.000Z' });
  expect(queries).toEqual(["Created ge datetime'2026-11-19T09:30:00'"]);
});

describe('the structure of a service', () => {
  test('is listed for the authors of mappings', async () => {
    const driver = driverFor((await startOrderService([])).url);
    const { items, next } = await driver.discover.catalog.tables({ from: null, limit: 1 });
    expect(items).toMatchObject([{ name: 'Lines', kind: 'table', primaryKey: ['order_number', 'position'] }]);
    expect((await driver.discover.catalog.tables({ from: next })).items).toMatchObject([{ name: 'Orders' }]);
    const columns = await driver.discover.catalog.columns('Orders', { from: null });
    expect(columns?.items.map(({ name, keyPosition }) => [name, keyPosition])).toContainEqual(['number', 1]);
    expect(columns?.items.find(({ name }) => name === 'changedAt')).toMatchObject({ isReadOnly: true });
    expect(await driver.discover.catalog.columns('None', { from: null })).toBeNull();
  });

  test('is compared with a stream', async () => {
    const driver = driverFor((await startOrderService([orderOf('1')])).url);
    const columns = await driver.discover.columns(streamOf('Orders', { options: { expand: ['lines'] } }));
    expect(columns).toContainEqual({ name: 'lines', type: 'list of entities' });
    const stream = streamOf('Orders', { options: { select: ['status', 'ghost'] } });
    expect(await driver.discover.probe(stream, { actions: [], writes: new Set() })).toMatchObject({
      sample: { key: '1' },
      notes: ['The service has no ghost in Orders. Check the option "select".'],
    });
    await expect(
      driver.discover.columns(streamOf('Orders', { key: ['id'], options: { expand: ['to_x'] } })),
    ).rejects.toThrow('The service has no id in Orders ("key"), and no to_x in Orders ("expand")');
    await expect(driver.pull({ stream: streamOf('Gone'), from: null, limit: 1 })).rejects.toMatchObject({
      kind: 'rejected',
    });
  });
});
