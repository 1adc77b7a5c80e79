import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, expect, test } from 'vitest';
import { httpServer, rawServer } from '../../test/http-server.ts';
import { asked, reply, restSystem, restSystemAt } from '../../test/rest-system.ts';

const things = { list: { address: '/things', rows: 'items' }, detail: { address: '/things/{id}', row: 'item' } };
const streams = { things };
const page = '<!doctype html><title>Sign in</title>';

type Listener = (request: IncomingMessage, response: ServerResponse) => void;

describe('a response that is not data', () => {
  const responses: Record<string, { listener: Listener; words: RegExp }> = {
    'a page': {
      listener: (_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end(page),
      words: /HTML page instead of the data of Acme.*"url"/,
    },
    'a page without its type': { listener: (_, response) => response.writeHead(200).end(page), words: /HTML page/ },
    'half of the data': {
      listener: (_, response) => response.writeHead(200).end('{"items":[{"id":1},{"i'),
      words: /not complete JSON/,
    },
    nothing: { listener: (_, response) => response.writeHead(200).end(), words: /empty/ },
    'no list': { listener: (_, response) => reply(response, { data: [] }), words: /no list at "items"/ },
    'no list of rows': {
      listener: (_, response) => reply(response, { items: [1] }),
      words: /values other than objects/,
    },
    'a row without its key': {
      listener: (_, response) => reply(response, { items: [{ id: null }] }),
      words: /no "id"/,
    },
    'a row whose key cannot be stored': {
      listener: (_, response) => response.writeHead(200).end('{"items":[{"id":"a\\u0000b"}]}'),
      words: /key that is too long or not valid text/,
    },
    'a redirect': { listener: (_, response) => response.writeHead(302).end(), words: /redirects.*"url"/ },
  };
  test.each(Object.keys(responses))('is an error, not an empty list: %s', async (name) => {
    const { listener, words } = responses[name] ?? { listener: () => undefined, words: /never/ };
    const system = await restSystem(listener, { streams });
    await expect(system.pullAll('things')).rejects.toMatchObject({
      kind: 'invalid',
      words: expect.stringMatching(words),
    });
  });

  test('is an error if its connection ends early', async () => {
    const url = await rawServer((socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n{"items":['));
    await expect(restSystemAt(url, { streams }).pullAll('things')).rejects.toMatchObject({ kind: 'unavailable' });
  });

  test('is an error if the connection is reset', async () => {
    const url = await rawServer((socket) => socket.resetAndDestroy());
    await expect(restSystemAt(url, { streams }).pullAll('things')).rejects.toMatchObject({ kind: 'unavailable' });
  });

  test.each([
    ['a page', 'text/html', page],
    ['a plain text', 'text/plain', '404 page not found\n'],
  ])('does not make a row count as deleted: %s with status 404', async (_, type, body) => {
    const system = await restSystem((_, response) => response.writeHead(404, { 'content-type': type }).end(body), {
      streams,
    });
    await expect(system.driver.read(system.stream('things'), '1')).rejects.toMatchObject({ kind: 'invalid' });
  });
});

describe('a failing system', () => {
  const failures = {
    '400': {
      messages: ['errors.message'],
      codes: { path: 'errors.extensions.code', kinds: { NOT_UNIQUE: 'duplicate' as const } },
    },
    '418': { messages: ['errors.1.message'] },
    '422': { messages: ['errors'] },
    '409': { kind: 'duplicate' as const, messages: ['error.text'] },
  };
  test.each([
    { status: 429, headers: { 'retry-after': '17' }, kind: 'throttled', retryAfter: 17 },
    { status: 429, headers: {}, kind: 'throttled', retryAfter: 60 },
    { status: 429, headers: { 'x-reset': '99999999999' }, kind: 'throttled', retryAfter: 86_400 },
    { status: 503, headers: { 'retry-after': '3' }, kind: 'unavailable', retryAfter: 3 },
    { status: 500, headers: {}, kind: 'unavailable', retryAfter: undefined },
    { status: 401, headers: {}, kind: 'unauthorized', retryAfter: undefined },
    { status: 403, headers: {}, kind: 'forbidden', retryAfter: undefined },
    { status: 404, headers: {}, kind: 'rejected', retryAfter: undefined },
  ])('with status $status and $headers is $kind', async ({ status, headers, kind, retryAfter }) => {
    const system = await restSystem(
      (_, response) => response.writeHead(status, headers as Record<string, string>).end(),
      {
        streams,
        options: { retryAfter: { header: 'X-Reset', as: 'epoch' } },
      },
    );
    await expect(system.pullAll('things')).rejects.toMatchObject({
      kind,
      retryAfter,
      words: `Acme returned HTTP status ${status} without a reason`,
    });
  });

  test.each([
    {
      status: 422,
      body: { errors: ['Name is blank', 'Code is taken'] },
      kind: 'rejected',
      words: 'Name is blank; Code is taken',
    },
    { status: 422, body: { errors: { name: ['is blank'] } }, kind: 'rejected', words: 'is blank' },
    {
      status: 400,
      body: {
        errors: [
          { message: 'Name is blank', extensions: { code: 'FAILED' } },
          { message: 'Code is taken', extensions: { code: 'NOT_UNIQUE' } },
        ],
      },
      ...{ kind: 'duplicate', words: 'Name is blank; Code is taken' },
    },
    { status: 418, body: { errors: [{ message: 'First' }, { message: 'Second' }] }, kind: 'rejected', words: 'Second' },
    { status: 409, body: { error: { text: 'Exists' } }, kind: 'duplicate', words: 'Exists' },
  ])('reports its own message: $words', async ({ status, body, kind, words }) => {
    const listener: Listener = (_, response) => response.writeHead(status).end(JSON.stringify(body));
    const system = await restSystem(listener, { streams, options: { failures } });
    await expect(system.pullAll('things')).rejects.toMatchObject({ kind, words });
  });
});

describe('the credentials', () => {
  const given = async (platform: Parameters<typeof restSystem>[1]) => {
    const heard: (string | undefined)[] = [];
    const system = await restSystem(
      (request, response) => {
        heard.push(request.headers.authorization, request.headers['x-key'] as string | undefined);
        reply(response, { items: [] });
      },
      { streams, ...platform },
    );
    await system.driver.check();
    return heard.filter((each) => each !== undefined);
  };
  test('are in a header, in the header of HTTP, or a bearer token', async () => {
    expect(await given({ options: { authentication: { header: { name: 'X-Key', prefix: 'key ' } } } })).toEqual([
      'key secret',
    ]);
    expect(await given({ options: { authentication: { bearer: true } } })).toEqual(['Bearer secret']);
    const settings = { user: 'u', password: 'p' };
    expect(await given({ options: { authentication: { basic: true } }, settings })).toEqual([`Basic ${btoa('u:p')}`]);
  });

  test('include those of the tenant in headers of the platform', async () => {
    const heard: unknown[] = [];
    const headers = { 'X-Key': 'tenant {apiKey}', 'X-Secret': '{apiSecret}', 'X-By': '{user}' };
    const system = await restSystem(
      ({ headers: { 'x-key': key, 'x-secret': secret, 'x-by': by } }, response) => {
        heard.push(key, secret, by);
        reply(response, { items: [] });
      },
      { streams, options: { headers }, settings: { apiKey: 'acme', apiSecret: 'hidden', user: 'api' } },
    );
    await system.driver.check();
    expect(heard).toEqual(['tenant acme', 'hidden', 'api']);
  });

  const session = { address: '/login', user: 'login', password: 'word' };
  const logins = {
    'a token': { ...session, token: 'auth.token', header: { name: 'X-Session' } },
    'a cookie': session,
  };
  test.each(Object.entries(logins))(
    'are sent once for a session with %s, and again when it has expired',
    async (_, login) => {
      const heard: string[] = [];
      const system = await restSystem(
        async (request, response) => {
          let body = '';
          for await (const chunk of request) body += chunk;
          const opened = heard.filter((each) => each.startsWith('/login')).length;
          const used = request.headers['x-session'] ?? request.headers.cookie ?? '';
          heard.push(`${request.url} ${body}${used}`);
          if (request.url === '/login') {
            reply(response, { auth: { token: `t=${opened + 1}` } }, { 'set-cookie': `t=${opened + 1}; Path=/` });
          } else if (used === 't=2') reply(response, { items: [] });
          else response.writeHead(401).end();
        },
        { streams, options: { authentication: { session: login } }, settings: { user: 'u', password: 'p' } },
      );
      await system.pullAll('things');
      await system.pullAll('things');
      const sent = '/login {"login":"u","word":"p"}';
      expect(heard.filter((each) => !each.startsWith('/me'))).toEqual([
        sent,
        '/things t=1',
        sent,
        '/things t=2',
        '/things t=2',
      ]);
    },
  );

  test('are sent again after a login without a response, which changes nothing', async () => {
    const url = await rawServer((socket) => socket.destroy());
    const system = restSystemAt(url, {
      streams,
      options: { authentication: { session } },
      settings: { user: 'u', password: 'p' },
    });
    await expect(system.driver.check()).rejects.toMatchObject({ kind: 'unavailable' });
  });

  test('are refused if the login is rejected for another reason', async () => {
    const system = await restSystem((_, response) => response.writeHead(400).end('{"error":"No such grant"}'), {
      streams,
      options: { authentication: { session }, failures: { default: { messages: ['error'] } } },
      settings: { user: 'u', password: 'p' },
    });
    await expect(system.driver.check()).rejects.toMatchObject({
      kind: 'unauthorized',
      words: 'Acme refuses the login: No such grant',
    });
  });

  const faults = {
    failedBy: 'fault',
    failures: {
      default: {
        messages: ['fault.text'],
        codes: { path: 'fault.code', kinds: { SESSION: 'unauthorized', BUSY: 'unavailable' } },
      },
    },
  } as const;
  const fault = (code: string) => ({ fault: { code, text: 'Not you.' } });

  test.each([
    ['the status 401', 401, {}, 'Acme refuses the user name or password'],
    ['the status 400', 400, fault('LOGIN'), 'Acme refuses the login: Not you.'],
    ['a body', 200, fault('LOGIN'), 'Acme refuses the login: Not you.'],
    ['a body with the code of a session that has expired', 200, fault('SESSION'), 'Acme refuses the login: Not you.'],
  ])('are not sent again right after they were refused by %s', async (_, status, body, words) => {
    let logins = 0;
    const system = await restSystem(
      (_, response) => {
        logins += 1;
        response.writeHead(status).end(JSON.stringify(body));
      },
      { streams, options: { authentication: { session }, ...faults }, settings: { user: 'u', password: 'p' } },
    );
    await expect(system.driver.check()).rejects.toMatchObject({ kind: 'unauthorized', words });
    await expect(system.driver.check()).rejects.toMatchObject({ kind: 'unauthorized', words });
    expect(logins).toBe(1);
  });

  test('are sent again if the body of the response to the login means that the system is unavailable', async () => {
    let logins = 0;
    const system = await restSystem(
      (_, response) => {
        logins += 1;
        reply(response, fault('BUSY'));
      },
      { streams, options: { authentication: { session }, ...faults }, settings: { user: 'u', password: 'p' } },
    );
    await expect(system.driver.check()).rejects.toMatchObject({ kind: 'unavailable' });
    await expect(system.driver.check()).rejects.toMatchObject({ kind: 'unavailable' });
    expect(logins).toBe(2);
  });

  test('are sent again when a body with status 200 reports that the session has expired', async () => {
    let logins = 0;
    const system = await restSystem(
      (request, response) => {
        if (request.url === '/login') {
          logins += 1;
          reply(response, {}, { 'set-cookie': `t=${logins}` });
        } else if (request.headers.cookie === 't=2') reply(response, { items: [{ id: 1 }] });
        else reply(response, fault('SESSION'));
      },
      { streams, options: { authentication: { session }, ...faults }, settings: { user: 'u', password: 'p' } },
    );
    expect(await system.pullAll('things')).toHaveLength(1);
    expect(logins).toBe(2);
  });
});

describe('a row', () => {
  test('is read by its key, or searched for in the list if it has no address', async () => {
    const listener: Listener = (request, response) => {
      const { pathname } = asked(request);
      if (pathname === '/things/a%2Fb') reply(response, { item: { id: 'a/b', size: 2 } });
      else if (pathname === '/codes') reply(response, [{ id: 1 }, { id: 2, name: 'Second' }]);
      else if (pathname === '/me') reply(response, {});
      else response.writeHead(404).end();
    };
    const system = await restSystem(listener, { streams: { things, codes: { list: { address: '/codes' } } } });
    const { driver } = system;
    expect(await driver.read(system.stream('things'), 'a%2Fb')).toEqual({ id: 'a/b', size: 2 });
    expect(await driver.read(system.stream('things'), 'gone')).toBeNull();
    expect(await driver.read(system.stream('codes'), '2')).toEqual({ id: 2, name: 'Second' });
    expect(await driver.read(system.stream('codes'), '3')).toBeNull();
  });

  test('that a system hides from a user without access is not taken for deleted', async () => {
    const system = await restSystem(
      (request, response) => {
        const { pathname } = asked(request);
        if (pathname === '/me') response.writeHead(401).end();
        else if (pathname === '/things') reply(response, { items: [] });
        else response.writeHead(404).end();
      },
      { streams: { things } },
    );
    await expect(system.driver.read(system.stream('things'), '1')).rejects.toMatchObject({ kind: 'unauthorized' });
    await expect(system.pullAll('things')).rejects.toMatchObject({ kind: 'unauthorized' });
  });

  test('has none of the properties that must not be stored', async () => {
    const row = { id: 1, name: 'One', api_key: 'secret' };
    const listener: Listener = (request, response) =>
      reply(response, asked(request).pathname === '/things' ? { items: [row] } : { item: row });
    const system = await restSystem(listener, { streams: { things: { ...things, omit: ['api_key'] } } });
    expect(await system.pullAll('things')).toEqual([{ key: '1', row: { id: 1, name: 'One' } }]);
    expect(await system.driver.read(system.stream('things'), '1')).toEqual({ id: 1, name: 'One' });
  });

  test('has what only its detail has, and is left out if it was deleted after the list was read', async () => {
    const listener: Listener = (request, response) => {
      const { pathname } = asked(request);
      if (pathname === '/things') reply(response, { items: [{ id: 1, name: 'One' }, { id: 2 }] });
      else if (pathname === '/things/1') reply(response, { item: { id: 1, size: 2 } });
      else if (pathname === '/me') reply(response, {});
      else response.writeHead(404).end();
    };
    const detailed = { ...things, detail: { ...things.detail, each: true as const } };
    const system = await restSystem(listener, { streams: { things: detailed } });
    expect(await system.pullAll('things')).toEqual([{ key: '1', row: { id: 1, name: 'One', size: 2 } }]);
  });
});

test('lists of parents are read one after the other, and have the key of their parent', async () => {
  const paging = { offset: { parameter: 'skip', size: { parameter: 'take' }, total: 'total' } };
  const lists: Record<string, number[]> = { '1': [1, 2, 3, 4, 5], '2': [], '3': [6], '5': [7] };
  const url = await httpServer((request, response) => {
    const { pathname, searchParams } = asked(request);
    const [, , parent = '', child] = pathname.split('/');
    const all = child ? lists[parent] : [1, 2, 3, 4, 5];
    const begin = Number(searchParams.get('skip'));
    const items = all?.map((id) => ({ id })).slice(begin, begin + Number(searchParams.get('take')));
    if (items) reply(response, { items, total: all?.length });
    else response.writeHead(403).end();
  });
  const system = restSystemAt(url, {
    streams: {
      things: { list: { address: '/things', rows: 'items', paging } },
      parts: {
        list: { address: '/things/{thing}/parts', rows: 'items', paging },
        parents: { stream: 'things', as: 'thing', without: [403] },
      },
    },
    key: { parts: ['thing', 'id'] },
  });
  const parts = ['1/1', '1/2', '1/3', '1/4', '1/5', '3/6', '5/7'];
  expect((await system.pullAll('parts')).map(({ key }) => key)).toEqual(parts);
  expect(await system.driver.read(system.stream('parts'), '1/4')).toEqual({ thing: '1', id: 4 });
  expect(await system.driver.read(system.stream('parts'), '4/1')).toBeNull();
});

test('a plain text with a status of parents without a list is an error, not an empty list', async () => {
  const listener: Listener = (request, response) => {
    if (asked(request).pathname === '/things') reply(response, { items: [{ id: 1 }] });
    else response.writeHead(404, { 'content-type': 'text/plain' }).end('404 page not found');
  };
  const parts = {
    list: { address: '/things/{thing}/parts', rows: 'items' },
    parents: { stream: 'things', as: 'thing', without: [404] },
  };
  const system = await restSystem(listener, {
    streams: { things: { list: { address: '/things', rows: 'items' } }, parts },
  });
  await expect(system.pullAll('parts')).rejects.toMatchObject({ kind: 'invalid' });
});

test('lists of parents with numbers of pages have every row, however many pages a list has', async () => {
  const paging = { pages: { parameter: 'page', size: { parameter: 'size' } } };
  const lists: Record<string, number[]> = { '1': [1], '2': [2, 3, 4, 5, 6, 7], '3': [8, 9] };
  const url = await httpServer((request, response) => {
    const { pathname, searchParams } = asked(request);
    const [, , parent = '', child] = pathname.split('/');
    const size = Number(searchParams.get('size'));
    const begin = (Number(searchParams.get('page')) - 1) * size;
    const items = (child ? (lists[parent] ?? []) : [1, 2, 3]).map((id) => ({ id })).slice(begin, begin + size);
    reply(response, { items });
  });
  const system = restSystemAt(url, {
    streams: {
      things: { list: { address: '/things', rows: 'items', paging } },
      parts: {
        list: { address: '/things/{thing}/parts', rows: 'items', paging },
        parents: { stream: 'things', as: 'thing' },
      },
    },
  });
  expect((await system.pullAll('parts')).map(({ key }) => Number(key))).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
});

describe('changes', () => {
  const list = { address: '/things', rows: 'items', parameters: { state: '*' } };
  const since = '2026-11-20T09:30:15.900Z';
  test.each([
    {
      changes: { parameter: 'updated_on', value: '>={since}' },
      sent: { state: '*', updated_on: '>=2026-11-20T09:30:15Z' },
    },
    { changes: { parameter: 'after', format: 'epoch' }, sent: { state: '*', after: '1795167015' } },
    {
      changes: { parameter: 'filter', value: '{"or":[{"changed":"{since}"},{"created":"{since}"}]}' },
      sent: {
        state: '*',
        filter: '{"or":[{"changed":"2026-11-20T09:30:15Z"},{"created":"2026-11-20T09:30:15Z"}]}',
      },
    },
    {
      changes: { parameter: 'q', value: "changed > '{since}'", format: 'YYYY-MM-DD hh:mm:ss' },
      sent: { state: '*', q: "changed > '2026-11-20 09:30:15'" },
    },
  ])('are requested as $sent', async ({ changes, sent }) => {
    const heard: unknown[] = [];
    const system = await restSystem(
      (request, response) => {
        heard.push(Object.fromEntries(asked(request).searchParams));
        reply(response, { items: [] });
      },
      { streams: { things: { list, changes } } },
    );
    await system.pullAll('things', { since });
    expect(heard).toEqual([sent]);
  });

  test('are counted from the time of the system, minus the overlap', async () => {
    const listener: Listener = (_, response) => reply(response, {}, { date: 'Fri, 20 Nov 2026 09:30:15 GMT' });
    const system = await restSystem(listener, { streams, options: { overlapSeconds: 15 } });
    expect(await system.driver.changes.mark(system.stream('things'))).toBe('2026-11-20T09:30:00.000Z');
  });

  test('of lists of parents are those of parents that changed', async () => {
    const heard: string[] = [];
    const system = await restSystem(
      (request, response) => {
        heard.push(request.url ?? '');
        reply(response, { items: [{ id: 7 }] });
      },
      {
        streams: {
          things: { list: { address: '/things', rows: 'items' }, changes: { parameter: 'since' } },
          parts: { list: { address: '/things/{thing}', rows: 'items' }, parents: { stream: 'things', as: 'thing' } },
        },
      },
    );
    expect(await system.pullAll('parts', { since: '2026-11-20T09:30:15Z' })).toEqual([
      { key: '7', row: { id: 7, thing: '7' } },
    ]);
    expect(heard).toEqual(['/things?since=2026-11-20T09%3A30%3A15Z', '/things/7']);
  });
});

test('columns are those of a sample and those that the stream declares', async () => {
  const rows = [
    { id: 1, note: null, at: '2026-11-20T09:30:15Z' },
    { id: 2, note: 'x', tags: [] },
  ];
  const declared = { list: { address: '/things' }, columns: ['owner'], changes: { parameter: 'since' } };
  const system = await restSystem((_, response) => reply(response, rows), { streams: { things: declared } });
  const { discover } = system.driver;
  expect((await discover.columns(system.stream('things')))?.map(({ name, type }) => [name, type])).toEqual([
    ['owner', 'unknown'],
    ['id', 'number'],
    ['note', 'string'],
    ['at', 'dateTime'],
    ['tags', 'list'],
  ]);
  const probing = discover.probe(system.stream('things'), { actions: [], writes: new Set() });
  await expect(probing).rejects.toMatchObject({
    words: 'Rows of things have no "updated", the property that changes are found by',
  });
});

test('the address can be that of a choice, with a path that contains a setting', async () => {
  const paths: string[] = [];
  const url = await httpServer((request, response) => {
    paths.push(asked(request).pathname);
    reply(response, { items: [] });
  });
  const addresses = { live: 'https://live.example', test: url.href };
  const base = { choice: { setting: 'environment', addresses, otherwise: 'live' }, path: '/companies/{company}' };
  const settings = { url: '', environment: 'test', company: 'A/1' };
  await restSystemAt(url, { streams, options: { base }, settings }).driver.check();
  await restSystemAt(url, { streams, options: { base }, settings: { ...settings, url: url.href } }).driver.check();
  expect(paths).toEqual(['/companies/A%2F1/me', '/companies/A%2F1/me']);
});

describe('a list that the response leaves out when it is empty', () => {
  const list = { address: '/things', rows: 'found.items', leftOutIfEmpty: true } as const;
  const pulled = async (body: unknown) =>
    (await restSystem((_, response) => reply(response, body), { streams: { things: { list } } })).pullAll('things');

  test('is empty', async () => {
    expect(await pulled({ found: {} })).toEqual([]);
  });

  test.each([[{}], [{ found: null }], [{ found: { items: null } }], [{ found: [] }]])(
    'is an error if what would contain it is not there: %j',
    async (body) => {
      await expect(pulled(body)).rejects.toMatchObject({ kind: 'invalid' });
    },
  );
});

test('a passthrough call returns JSON that is nested too deeply as text', async () => {
  const body = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
  const system = await restSystem((_, response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(body),
  );
  const received = await system.driver.passthrough.send?.({ method: 'GET', path: '/things' });
  expect(JSON.parse(JSON.stringify(received))).toMatchObject({ status: 200, body });
});
