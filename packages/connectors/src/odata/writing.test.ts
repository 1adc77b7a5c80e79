import type { ServerResponse } from 'node:http';
import { describe, expect, test } from 'vitest';
import { httpServer } from '../../test/http-server.ts';
import { ORDERS_V4, PARTNERS_V2 } from '../../test/odata/descriptions.ts';
import { driverFor, streamOf } from '../../test/odata/odata-platform.ts';
import {
  type OrderServiceOptions,
  orderOf,
  type StoredOrder,
  startOrderService,
} from '../../test/odata/order-service.ts';
import { type Intent, ROW_KEY } from '../driver.ts';

const orders = streamOf('Orders');
const marked = streamOf('Orders', { options: { marker: 'reference' } });

function intent(more: Partial<Intent> = {}): Intent {
  return { writeId: '0198-w', position: null, sentAt: new Date().toISOString(), ...more };
}

async function setUp(stored: readonly StoredOrder[], options: OrderServiceOptions = {}) {
  const service = await startOrderService(stored, options);
  const sent = () => service.received.filter(({ method }) => method !== 'GET');
  return { service, driver: driverFor(service.url), sent };
}

/** Carries out changes and loses their responses. */
function losing(method: string): OrderServiceOptions {
  return {
    before: (request, response) => {
      if (request.method === method) response.end = () => response.destroy();
      return false;
    },
  };
}

const HTML = { 'content-type': 'text/html' };
const JSON_TYPE = { 'content-type': 'application/json' };

/** Makes a response have this content, whatever the service writes. */
function overwrite(response: ServerResponse, status: number, body: string, headers: object = JSON_TYPE): void {
  const [writeHead, end] = [response.writeHead.bind(response), response.end.bind(response)];
  response.writeHead = () => response;
  response.end = () => {
    writeHead(status, { ...headers });
    return end(body);
  };
}

/** Carries out changes, and sends a page to sign in instead of their responses. */
function pageAfter(method: string): OrderServiceOptions {
  return {
    before: (request, response) => {
      if (request.method === method) overwrite(response, 200, '<html><form>Sign in</form></html>', HTML);
      return false;
    },
  };
}

/** A proxy that does not find the service for some requests. */
function notFoundBy(method: string): OrderServiceOptions {
  return {
    before: (request, response) => {
      const isRecord = request.path.endsWith(')') && request.method === method;
      if (isRecord) response.writeHead(404, { 'content-type': 'text/plain' }).end('404 page not found\n');
      return isRecord;
    },
  };
}

describe('a create', () => {
  test('sends lines with the order, and every digit', async () => {
    const { driver, sent, service } = await setUp([]);
    const total = '123456789012345678901.2345';
    const values = { number: 'A/1', total, lines: [{ position: 1, item: 'Bolt', quantity: '0.125' }] };
    expect(await driver.writes.create(orders, values, intent())).toEqual({ key: 'A%2F1' });
    expect(JSON.parse(sent()[0]?.body ?? '')).toEqual(values);
    expect(sent()[0]?.headers['content-type']).toBe('application/json;IEEE754Compatible=true');
    expect(service.orders.get('A/1')?.total).toBe(total);
  });

  test('sends numbers to a service that does not state that it returns decimals as strings', async () => {
    const { driver, sent, service } = await setUp([], { hasOnlyNumbers: true });
    const values = { number: '1', total: '+0123456789012345678901.50', count: '-7', lines: [{ quantity: '1e-3' }] };
    await driver.writes.create(marked, values, intent());
    const marker = JSON.parse(sent()[0]?.body ?? '').reference;
    expect(sent()[0]?.body).toBe(
      `{"number":"1","total":123456789012345678901.50,"count":-7,"reference":"${marker}","lines":[{"quantity":0.001}]}`,
    );
    expect(sent()[0]?.headers['content-type']).toBe('application/json');
    await driver.writes.update(orders, '1', { total: '2.5' }, intent());
    expect(service.orders.get('1')?.total).toBe(2.5);
  });

  test.each([
    ['strings', { hasOnlyNumbers: false }, 'numbers', '{"total":2.5}'],
    ['numbers', { hasOnlyNumbers: true }, 'strings', '{"total":"2.5"}'],
  ] as const)('uses the option "decimals", even if the service returns %s', async (_, service, decimals, body) => {
    const { url } = await startOrderService([orderOf('1')], {
      ...service,
      before: (request, response) => {
        if (request.method === 'PATCH') expect.soft(request.body).toBe(body);
        if (request.method === 'PATCH') response.writeHead(204).end();
        return request.method === 'PATCH';
      },
    });
    await driverFor(url, {}, { decimals }).writes.update(orders, '1', { total: '2.5' }, intent());
    expect.assertions(1);
  });

  test('of a key that exists is a duplicate', async () => {
    const { driver } = await setUp([orderOf('1')]);
    const creating = driver.writes.create(orders, { number: '1' }, intent());
    await expect(creating).rejects.toMatchObject({ kind: 'duplicate', words: 'Order 1 exists' });
  });

  test('with a property that the service does not have is refused before it is sent', async () => {
    const { driver, sent } = await setUp([]);
    await expect(driver.writes.create(orders, { ghost: 1 }, intent())).rejects.toMatchObject({
      kind: 'rejected',
      columns: ['ghost'],
    });
    expect(sent()).toEqual([]);
  });

  test('whose response is lost has an unknown outcome, and its row is found by the marker', async () => {
    const { driver } = await setUp([orderOf('0')], losing('POST'));
    await expect(driver.writes.create(marked, { number: '7' }, intent())).rejects.toMatchObject({ kind: 'unknown' });
    expect(await driver.writes.findCreated(marked, { number: '7' }, intent())).toEqual({ key: '7' });
  });

  test.each([
    ['is empty', 204, ''],
    ['has no entity', 200, '{"status":"queued"}'],
    ['has a key with NUL', 201, '{"number":"a\\u0000b"}'],
  ])('whose response %s is found by the marker, and otherwise not sent again', async (_, status, body) => {
    const responding = (isCarriedOut: boolean) => (request: { method: string }, response: ServerResponse) => {
      if (request.method !== 'POST') return false;
      overwrite(response, status, body);
      if (!isCarriedOut) response.end();
      return !isCarriedOut;
    };
    const done = await setUp([], { before: responding(true) });
    expect(await done.driver.writes.create(marked, { number: '7' }, intent())).toEqual({ key: '7' });
    const queued = await setUp([], { before: responding(false) });
    const creating = queued.driver.writes.create(marked, { number: '7' }, intent());
    await expect(creating).rejects.toMatchObject({ kind: 'unconfirmed' });
    expect(queued.sent()).toHaveLength(1);
  });

  describe('whose response does not name the record', () => {
    interface Unnamed {
      readonly headers?: Readonly<Record<string, string>>;
      /** Status of reads of the list. */
      readonly listed?: number;
      /** Status of reads of one order. */
      readonly found?: number;
    }

    /** Stores the order and responds with JSON that is not an entity. After that, reads have a status. */
    function unnamed({ headers: named = {}, listed = 200, found = 200 }: Unnamed = {}) {
      let isCreated = false;
      return ({ method, path }: { method: string; path: string }, response: ServerResponse) => {
        const status = path.endsWith('Orders') ? listed : path.endsWith(')') ? found : 200;
        const isRefused = isCreated && status !== 200;
        const headers = status === 429 || status === 503 ? { 'retry-after': '9' } : {};
        if (isRefused) response.writeHead(status, headers).end();
        if (method === 'POST') overwrite(response, 201, '{"d":{}}', { ...JSON_TYPE, ...named });
        isCreated ||= method === 'POST';
        return isRefused;
      };
    }
    const values = { number: '7', reference: 'x' };
    const position = { after: '1' };

    test('is that of the address in the headers, without a search', async () => {
      const { driver, service } = await setUp([], {
        before: unnamed({ headers: { 'odata-entityid': "Orders('7')" } }),
      });
      expect(await driver.writes.create(marked, values, intent())).toEqual({ key: '7' });
      const reads = service.received.filter(({ method, path }) => method === 'GET' && /Orders/.test(path));
      expect(reads.map(({ path }) => path)).toEqual(["/odata/orders/Orders('7')"]);
    });

    const address = "Orders('7')";

    test.each<[string, Record<string, string>, number]>([
      ['the service reads no records by key', { 'odata-entityid': address }, 400],
      ['the service does not allow reads by key', { location: address }, 405],
      ['the user cannot read it', { location: address }, 403],
      ['a proxy does not know it', { location: address }, 404],
      ['the service does not implement reads by key', { location: address }, 501],
      ['it redirects to a page', { location: address }, 302],
      ['it is empty', { location: '' }, 200],
      ['it is that of an entity of another set', { location: "Items(orderNumber='1',line=1)" }, 200],
      ['it is on another host', { location: "https://erp.internal.example/Orders('7')" }, 200],
    ])('is found in the list if its address cannot be read, because %s', async (_, headers, found) => {
      const { driver, service } = await setUp([], { before: unnamed({ headers, found }) });
      expect(await driver.writes.create(marked, values, intent())).toEqual({ key: '7' });
      expect(service.received.at(-1)?.path).toMatch(/Orders$/);
    });

    test.each<[string, Unnamed]>([
      ['its address', { found: 429 }],
      ['its address', { found: 503 }],
      ['the list', { found: 400, listed: 429 }],
      ['the list', { found: 400, listed: 503 }],
    ])('is searched for after the pause that the service requests when %s is read: %j', async (_, statuses) => {
      const { driver, service } = await setUp([], { before: unnamed({ headers: { location: address }, ...statuses }) });
      const creating = driver.writes.create(marked, values, intent());
      await expect(creating).rejects.toMatchObject({ kind: 'unsearched', retryAfter: 9 });
      const isListed = service.received.at(-1)?.path.endsWith('Orders');
      expect(isListed).toBe(statuses.listed !== undefined);
    });

    test.each([400, 403])('is not searched for again if the service refuses every search (%i)', async (listed) => {
      const { driver } = await setUp([], { before: unnamed({ listed }) });
      await expect(driver.writes.create(orders, values, intent({ position }))).rejects.toMatchObject({
        ...{ kind: 'unconfirmed', clientWords: expect.stringMatching(/Check whether it exists before you repeat/) },
      });
    });

    test.each([404, 408, 425])('is searched for again after a failure that can be temporary (%i)', async (listed) => {
      const { driver } = await setUp([], { before: unnamed({ listed }) });
      const creating = driver.writes.create(orders, values, intent({ position }));
      await expect(creating).rejects.toMatchObject({ kind: 'unsearched' });
    });

    test('has a message that ends with what to check, however long the reason is', async () => {
      const respond = unnamed();
      const error = { code: 'x', message: 'The parameter is not supported. '.repeat(100) };
      let isCreated = false;
      const { driver } = await setUp([], {
        before: (request, response) => {
          const isSearch = isCreated && request.path.endsWith('Orders');
          if (isSearch) response.writeHead(400, JSON_TYPE).end(JSON.stringify({ error }));
          isCreated ||= request.method === 'POST';
          return isSearch || respond(request, response);
        },
      });
      const words = expect.stringMatching(/not supported.*… Check whether it exists before you repeat the write$/s);
      const creating = driver.writes.create(orders, values, intent({ position }));
      await expect(creating).rejects.toMatchObject({ kind: 'unconfirmed', words, clientWords: words });
    });

    test('is not confirmed if several new records have its values, with that reason', async () => {
      const { driver } = await setUp([orderOf('5', { reference: 'x' })], { before: unnamed() });
      await expect(driver.writes.create(orders, values, intent({ position }))).rejects.toMatchObject({
        ...{ kind: 'unconfirmed', words: expect.stringMatching(/several new records .*Check whether it exists/) },
      });
    });

    test('is searched for later if the list cannot be read', async () => {
      const { driver } = await setUp([], { before: unnamed({ listed: 503 }) });
      await expect(driver.writes.create(orders, values, intent({ position }))).rejects.toMatchObject({
        ...{
          kind: 'unsearched',
          words: expect.stringMatching(/without returning the new record, and it cannot be read: /),
        },
      });
    });

    test('has a message for clients without the address at which tokens are issued', async () => {
      let isIssued = false;
      const respond = unnamed({ listed: 401 });
      const service = await startOrderService([], {
        before: (request, response) => {
          if (request.path !== '/token') return respond(request, response);
          const token = { access_token: 't', token_type: 'Bearer', expires_in: 3600 };
          response.writeHead(isIssued ? 401 : 200, JSON_TYPE).end(JSON.stringify(token));
          isIssued = true;
          return true;
        },
      });
      const tokenUrl = new URL('/token', service.url).href;
      const driver = driverFor(service.url, { tokenUrl, clientId: 'id', clientSecret: 's', scope: 'api' });
      await expect(driver.writes.create(orders, values, intent({ position }))).rejects.toMatchObject({
        words: expect.stringContaining(tokenUrl),
        clientWords: expect.stringMatching(/it cannot be read: The token address refuses the client/),
      });
    });
  });

  test('whose response is replaced by a page has an unknown outcome, because it is not repeated unseen', async () => {
    const { driver, service } = await setUp([], pageAfter('POST'));
    await expect(driver.writes.create(marked, { number: '7' }, intent())).rejects.toMatchObject({ kind: 'unknown' });
    expect([...service.orders.keys()]).toEqual(['7']);
  });

  test.each([
    [{}, { kind: 'unknown' }],
    [{ 'retry-after': '9' }, { kind: 'unknown', retryAfter: 9 }],
  ])('with status 503 and %j is %j', async (headers, expected) => {
    const { driver } = await setUp([], {
      before: ({ method }, response) => {
        if (method === 'POST') response.writeHead(503, headers).end();
        return method === 'POST';
      },
    });
    await expect(driver.writes.create(marked, { number: '7' }, intent())).rejects.toMatchObject(expected);
  });

  test('without a marker is refused before it is sent if it has no value to find it by', async () => {
    const { driver, sent } = await setUp([]);
    const creating = driver.writes.create(orders, { ordered: '2026-11-20', reference: '' }, intent());
    await expect(creating).rejects.toMatchObject({ kind: 'rejected', words: expect.stringContaining('"marker"') });
    expect(sent()).toEqual([]);
  });

  test('without a marker is refused before it is sent if its key is a GUID', async () => {
    const methods: unknown[] = [];
    const url = await httpServer(({ method }, response) => {
      methods.push(method);
      response.end(PARTNERS_V2);
    });
    const driver = driverFor(url.href);
    const create = (more: object) =>
      driver.writes.create(streamOf('A_Partner', { key: ['Id'], ...more }), { Name: 'Ä' }, intent());
    const words = expect.stringMatching(/the key Id of A_Partner is an Edm.Guid.*"marker"/);
    await expect(create({})).rejects.toMatchObject({ kind: 'rejected', words });
    expect(methods).not.toContain('POST');
    await expect(create({ options: { marker: 'Name' } })).rejects.toMatchObject({ kind: 'invalid' });
    expect(methods).toContain('POST');
  });

  test('that did not arrive is certain only when it can no longer take effect', async () => {
    const { driver } = await setUp([orderOf('0')]);
    const find = (sentAt: string) => driver.writes.findCreated(marked, { number: '7' }, intent({ sentAt }));
    await expect(find(new Date().toISOString())).rejects.toMatchObject({ kind: 'unavailable' });
    expect(await find('2020-01-01T00:00:00Z')).toBeNull();
  });

  test('without a marker is found by its values after the highest key before it', async () => {
    const { driver, service } = await setUp([orderOf('1', { reference: 'x' })]);
    const position = await driver.writes.positionBeforeCreate(orders, '0198-w', {});
    expect(position).toEqual({ after: '1' });
    service.orders.set('2', orderOf('2', { reference: 'x' }));
    expect(await driver.writes.findCreated(orders, { reference: 'x' }, intent({ position }))).toEqual({ key: '2' });
    service.orders.set('3', orderOf('3', { reference: 'x' }));
    const ambiguous = driver.writes.findCreated(orders, { reference: 'x' }, intent({ position }));
    await expect(ambiguous).rejects.toMatchObject({
      kind: 'unconfirmed',
      words: expect.stringMatching(/such as 2 and 3/),
    });
  });
});

describe('an update', () => {
  test('is sent with the ETag of the record', async () => {
    const { driver, service, sent } = await setUp([orderOf("O'1", { version: 7 })]);
    await driver.writes.update(orders, "O'1", { status: 'done' }, intent());
    expect(service.orders.get("O'1")?.status).toBe('done');
    expect(sent()).toMatchObject([{ method: 'PATCH', headers: { 'if-match': 'W/"7"' } }]);
  });

  test('is a conflict if another user changes the record first', async () => {
    const { driver, service } = await setUp([orderOf('1')], {
      before: ({ method }) => {
        const order = service.orders.get('1');
        if (method === 'PATCH' && order) order.version += 1;
        return false;
      },
    });
    await expect(driver.writes.update(orders, '1', { status: 'done' }, intent())).rejects.toMatchObject({
      kind: 'conflict',
    });
    expect(service.orders.get('1')?.status).toBe('open');
  });

  test('is a conflict if the service requires an ETag that it does not return', async () => {
    const { driver } = await setUp([], {
      before: ({ method, path }, response) => {
        if (!path.endsWith(')')) return false;
        if (method === 'GET') response.writeHead(200, { 'content-type': 'application/json' }).end('{"number":"1"}');
        else response.writeHead(428).end();
        return true;
      },
    });
    await expect(driver.writes.update(orders, '1', { status: 'done' }, intent())).rejects.toMatchObject({
      kind: 'conflict',
    });
  });

  test('of a record that no longer exists is refused', async () => {
    const { driver } = await setUp([]);
    await expect(driver.writes.update(orders, '1', { status: 'done' }, intent())).rejects.toMatchObject({
      kind: 'gone',
    });
  });

  test.each(['GET', 'PATCH'])('of a record is not refused as gone if a proxy returns 404 to %s', async (failing) => {
    const { driver } = await setUp([orderOf('1')], notFoundBy(failing));
    await expect(driver.writes.update(orders, '1', { status: 'done' }, intent())).rejects.toMatchObject({
      kind: 'invalid',
    });
  });

  test('with PUT keeps what it does not change', async () => {
    const { driver, sent } = await setUp([orderOf('1', { reference: 'keep' })]);
    await driver.writes.update(streamOf('Orders', { options: { update: 'PUT' } }), '1', { status: 'done' }, intent());
    expect(JSON.parse(sent()[0]?.body ?? '')).toMatchObject({ reference: 'keep', status: 'done', total: '10.0000' });
    expect(JSON.parse(sent()[0]?.body ?? '')).not.toHaveProperty('changedAt');
  });

  const line = (position: number) => ({ order_number: '1', position, item: 'Bolt', quantity: '1.000' });

  test('of a list changes, adds and deletes its rows', async () => {
    const { driver, sent, service } = await setUp([orderOf('1', { lines: [line(1), line(2)] })]);
    const lines = [
      { [ROW_KEY]: '1/2', item: 'Nut' },
      { item: 'Washer', quantity: '3' },
    ];
    await driver.writes.update(orders, '1', { lines }, intent(), { lines: ['1/1', '1/2'] });
    expect(sent().map(({ method, path, body }) => [method, path.slice('/odata/orders/'.length), body])).toEqual([
      ['PATCH', "Lines(order_number='1',position=2)", '{"item":"Nut"}'],
      ['DELETE', "Lines(order_number='1',position=1)", ''],
      ['POST', "Orders('1')/lines", '{"item":"Washer","quantity":"3"}'],
    ]);
    expect(sent().map(({ headers }) => headers['if-match'])).toEqual(['W/"line-1"', 'W/"line-1"', undefined]);
    expect(service.orders.get('1')?.lines).toMatchObject([{ position: 2, item: 'Nut' }, { item: 'Washer' }]);
  });

  const changedLines = [
    { [ROW_KEY]: '1/1', item: 'Nut' },
    { [ROW_KEY]: '1/2', item: 'Washer' },
  ];
  /** An order with three lines, of which another user changes the one at this position immediately before a request does. */
  const contested = async (position: number, options: OrderServiceOptions = {}) => {
    const order = orderOf('1', { lines: [line(1), line(2), line(3)] });
    const set = await setUp([order], {
      ...options,
      before: ({ method, path }) => {
        const at = order.lines.findIndex((each) => each.position === position && each.item === 'Bolt');
        if (at >= 0 && method !== 'GET' && path.endsWith(`position=${position})`)) {
          order.lines[at] = { ...order.lines[at], item: 'Rivet', version: 2 };
          order.version += 1;
        }
        return false;
      },
    });
    const known = { lines: ['1/1', '1/2', '1/3'] };
    return {
      ...set,
      order,
      update: (values: object) => set.driver.writes.update(orders, '1', { ...values }, intent(), known),
    };
  };

  test('of a line that another user changes first is a conflict', async () => {
    const { update, order } = await contested(1);
    await expect(update({ lines: changedLines })).rejects.toMatchObject({ kind: 'conflict' });
    expect(order.lines.map(({ item }) => item)).toEqual(['Rivet', 'Bolt', 'Bolt']);
  });

  test('of lines with the ETag of their document is not refused because of the changes that it has made', async () => {
    const { update, order } = await contested(0, { hasSharedETags: true });
    await update({ status: 'done', lines: changedLines });
    expect(order).toMatchObject({ status: 'done', lines: [{ item: 'Nut' }, { item: 'Washer' }] });
  });

  test('of lines with the ETag of their document is refused if another user has changed the same values', async () => {
    const { update, order } = await contested(2, { hasSharedETags: true });
    const words = expect.stringContaining('2 of 4 changes');
    await expect(update({ status: 'done', lines: changedLines })).rejects.toMatchObject({ kind: 'partial', words });
    expect(order.lines.map(({ item }) => item)).toEqual(['Nut', 'Rivet', 'Bolt']);
  });

  test('of a single entity without a set of its own is sent to its path', async () => {
    const description = ORDERS_V4.toString()
      .replace('<NavigationProperty Name="lines"', '<NavigationProperty Name="terms" Type="Self.Terms"/>$&')
      .replace(
        '<Action Name="approve"',
        '<EntityType Name="Terms"><Key><PropertyRef Name="code"/></Key><Property Name="code" Type="Edm.String"/><Property Name="days" Type="Edm.Int32"/></EntityType>$&',
      );
    const { driver, sent } = await setUp([], {
      before: ({ method, path }, response) => {
        response.setHeader('content-type', 'application/json');
        if (path.endsWith('$metadata')) response.end(description);
        else if (method === 'GET') response.end('{"number":"1","terms":{"code":"N","days":10}}');
        else response.writeHead(204).end();
        return true;
      },
    });
    await driver.writes.update(orders, '1', { terms: { days: 30 } }, intent());
    expect(sent().map(({ method, path, body }) => [method, path.slice('/odata/orders/'.length), body])).toEqual([
      ['PATCH', "Orders('1')/terms", '{"days":30}'],
    ]);
  });

  test('of a list that another user has changed is refused', async () => {
    const { driver, sent } = await setUp([orderOf('1', { lines: [line(1), line(2)] })]);
    const updating = driver.writes.update(orders, '1', { lines: [] }, intent(), { lines: ['1/1'] });
    await expect(updating).rejects.toMatchObject({ kind: 'outdated', changedRows: { added: ['1/2'], removed: [] } });
    expect(sent()).toEqual([]);
  });

  const lines = [
    { [ROW_KEY]: '1/1', item: 'Nut' },
    { item: 'Washer', quantity: '3' },
  ];
  /** Responds to requests that change lines: with 204, and at the end of this number with another status. */
  const refusing = (status: number, accepted: number) => {
    let left = accepted;
    return {
      before: ({ method, path }: { method: string; path: string }, response: ServerResponse) => {
        const isChange = method !== 'GET' && /Lines\(|lines$/.test(path);
        if (!isChange) return false;
        left -= 1;
        if (left >= 0) response.writeHead(204).end();
        else
          response
            .writeHead(status, { 'content-type': 'application/json' })
            .end(JSON.stringify({ error: { code: 'E', message: 'Locked period.' } }));
        return true;
      },
    };
  };

  test.each([400, 403, 404, 409, 500])('whose second request is refused with %i was made in part', async (status) => {
    const { driver } = await setUp([orderOf('1', { lines: [line(1)] })], refusing(status, 1));
    const updating = driver.writes.update(orders, '1', { lines }, intent(), { lines: ['1/1'] });
    await expect(updating).rejects.toMatchObject({ kind: 'partial', words: expect.stringContaining('1 of 2 changes') });
  });

  test.each([
    ['change', 400, lines],
    ['change', 409, lines],
    ['delete', 409, []],
  ])('whose first request, the %s of a line, is refused with %i was not made', async (_, status, given) => {
    const { driver, sent } = await setUp([orderOf('1', { lines: [line(1)] })], refusing(status, 0));
    const updating = driver.writes.update(orders, '1', { lines: given }, intent(), { lines: ['1/1'] });
    await expect(updating).rejects.toMatchObject({ kind: 'rejected', words: 'Locked period.' });
    expect(sent()).toHaveLength(1);
  });
});

describe('a delete', () => {
  test('is sent with the ETag, and succeeds if there is nothing to delete', async () => {
    const { driver, service, sent } = await setUp([orderOf('1')]);
    await driver.writes.remove(orders, '1', intent());
    await driver.writes.remove(orders, '1', intent());
    expect(service.orders.size).toBe(0);
    expect(sent()).toMatchObject([{ method: 'DELETE', headers: { 'if-match': 'W/"1"' } }]);
  });

  test.each([
    ['the record is read', 'GET'],
    ['it is sent', 'DELETE'],
  ])('is not taken as done if a proxy returns 404 when %s', async (_, failing) => {
    const { driver, service } = await setUp([orderOf('1')], notFoundBy(failing));
    await expect(driver.writes.remove(orders, '1', intent())).rejects.toMatchObject({ kind: 'invalid' });
    expect(service.orders.size).toBe(1);
  });

  test('whose response is replaced by a page has an unknown outcome, like an update and an action', async () => {
    const expected = { kind: 'unknown', words: expect.stringContaining('page') };
    const deleting = await setUp([orderOf('1')], pageAfter('DELETE'));
    await expect(deleting.driver.writes.remove(orders, '1', intent())).rejects.toMatchObject(expected);
    const updating = await setUp([orderOf('1')], pageAfter('PATCH'));
    await expect(updating.driver.writes.update(orders, '1', { status: 'x' }, intent())).rejects.toMatchObject(expected);
    const acting = await setUp([orderOf('1')], pageAfter('POST'));
    const act = acting.driver.actions.act(orders, '1', 'approve', {}, intent());
    await expect(act).rejects.toMatchObject(expected);
  });

  test('whose response is lost has an unknown outcome', async () => {
    const { driver } = await setUp([orderOf('1')], losing('DELETE'));
    await expect(driver.writes.remove(orders, '1', intent())).rejects.toMatchObject({ kind: 'unknown' });
  });
});

describe('an action', () => {
  test('is called on the record with its parameters', async () => {
    const { driver, service } = await setUp([orderOf('1')]);
    await driver.actions.act(orders, '1', 'approve', { note: 'good' }, intent());
    expect(service.orders.get('1')).toMatchObject({ status: 'done', reference: 'good' });
  });

  test('that the service does not have is refused, and found by a probe', async () => {
    const { driver } = await setUp([orderOf('1')]);
    await expect(driver.actions.act(orders, '1', 'reject', {}, intent())).rejects.toMatchObject({ kind: 'rejected' });
    await expect(driver.actions.act(orders, '1', 'approve', { x: 1 }, intent())).rejects.toMatchObject({
      columns: ['x'],
    });
    const probe = await driver.discover.probe(orders, { actions: ['approve', 'reject'], writes: new Set() });
    expect(probe.problems).toEqual([
      'reject: the service has no such operation for Orders. Check "act" in the mapping',
    ]);
  });
});

describe('a CSRF token', () => {
  test('is requested once for concurrent changes, with its cookies', async () => {
    const { driver, service } = await setUp([orderOf('1'), orderOf('2'), orderOf('3')], { needsCsrf: true });
    await Promise.all(['1', '2', '3'].map((key) => driver.writes.update(orders, key, { status: 'done' }, intent())));
    await driver.writes.update(orders, '1', { status: 'open' }, intent());
    expect(service.received.filter(({ headers }) => headers['x-csrf-token'] === 'Fetch')).toHaveLength(1);
    expect(service.orders.get('1')?.status).toBe('open');
    expect(service.orders.get('3')?.status).toBe('done');
  });

  test('that is refused again is a missing right', async () => {
    const { driver, sent } = await setUp([orderOf('1')], {
      before: ({ method }, response) => {
        if (method !== 'PATCH') return false;
        response.writeHead(403, { 'x-csrf-token': 'Required' }).end();
        return true;
      },
    });
    await expect(driver.writes.update(orders, '1', { status: 'done' }, intent())).rejects.toMatchObject({
      kind: 'forbidden',
    });
    expect(sent()).toHaveLength(2);
  });
});

test('V2 is written with MERGE, dates and decimals as texts, and function imports with parameters in the address', async () => {
  const sent: string[] = [];
  const url = await httpServer(async (request, response) => {
    if (request.url?.endsWith('$metadata')) return response.end(PARTNERS_V2);
    let body = '';
    for await (const chunk of request) body += chunk;
    if (request.method !== 'GET')
      sent.push(`${request.method} ${decodeURIComponent(request.url ?? '')} ${request.headers['if-match']} ${body}`);
    if (request.method === 'MERGE') return response.writeHead(204).end();
    const d = { __metadata: { etag: 'W/"datetime\'2026\'"' }, Partner: '17', to_Address: { results: [] } };
    return response
      .writeHead(request.method === 'POST' ? 201 : 200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ d }));
  });
  const driver = driverFor(url.href);
  const stream = streamOf('A_Partner', { key: ['Partner'] });
  const values = { Name: 'Ä', ChangedAt: '1969-12-31T23:59:59.999Z', Limit: 1.5, to_Address: [{ CityName: 'Ulm' }] };
  expect(await driver.writes.create(stream, values, intent())).toEqual({ key: '17' });
  await driver.writes.update(stream, '17', { Name: null }, intent());
  await driver.actions.act(stream, '17', 'Release', {}, intent());
  const etag = 'W/"datetime\'2026\'"';
  expect(sent).toEqual([
    'POST /A_Partner undefined {"Name":"Ä","ChangedAt":"/Date(-1+0000)/","Limit":"1.5","to_Address":[{"CityName":"Ulm"}]}',
    `MERGE /A_Partner('17') ${etag} {"Name":null}`,
    `POST /Release?Partner='17' ${etag} `,
  ]);
});
