import type { ServerResponse } from 'node:http';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { rawServer } from '../../test/http-server.ts';
import { reply, restSystem, restSystemAt } from '../../test/rest-system.ts';
import { type TicketsOptions, ticketSystem, WRITES } from '../../test/rest-tickets.ts';
import type { Intent, Row } from '../driver.ts';
import { DefinitionError } from '../mapping/definition-error.ts';
import type { ChangeCall } from './write-options.ts';

function intent(more: Partial<Intent> = {}): Intent {
  return { writeId: '0198-w', position: { after: 0 }, sentAt: new Date().toISOString(), ...more };
}

const open = { id: 1, title: 'Pump', state: { id: 2, name: 'Open' }, size: 1, version: 1 };

async function setUp(stored: Parameters<typeof ticketSystem>[0] = [open], options?: TicketsOptions) {
  const system = await ticketSystem(stored, options);
  const stream = system.stream('tickets');
  const { writes, actions, read } = system.driver;
  return {
    ...system,
    create: (values: object, more?: Partial<Intent>) => writes.create(stream, { ...values }, intent(more)),
    find: (values: object, more?: Partial<Intent>) => writes.findCreated(stream, { ...values }, intent(more)),
    position: () => writes.positionBeforeCreate(stream, '0198-w', {}),
    update: (values: object, key = '1') => writes.update(stream, key, { ...values }, intent()),
    remove: (key = '1') => writes.remove(stream, key, intent()),
    act: (action: string, values: object = {}) => actions.act(stream, '1', action, { ...values }, intent()),
    read: () => read(stream, '1'),
    probe: system.driver.discover.probe,
  };
}

/** Responds to changes with a status. */
function failing(status: number, headers: Record<string, string> = {}, body = ''): TicketsOptions {
  return {
    before: ({ method }, response) => {
      if (method !== 'GET') response.writeHead(status, headers).end(body);
      return method !== 'GET';
    },
  };
}

/** Carries out changes and loses their responses. */
const losing: TicketsOptions = {
  before: ({ method }, response) => {
    if (method !== 'GET') {
      response.writeHead = () => response;
      response.end = () => response.destroy();
    }
    return false;
  },
};

/** A ticket with notes, whose server is behind a proxy with a clock that is an hour ahead. */
async function notesOf(stored: readonly Row[], how: { readonly loses?: boolean; readonly ignores?: boolean } = {}) {
  const notes = [...stored];
  const system = await restSystem(
    async (request, response) => {
      let body = '';
      for await (const chunk of request) body += chunk;
      response.setHeader('date', new Date(Date.now() + 3_600_000).toUTCString());
      if (request.method === 'GET') return reply(response, { notes });
      if (!how.ignores) notes.push({ id: 8, at: new Date().toISOString(), ...JSON.parse(body) });
      return how.loses ? response.destroy() : response.writeHead(204).end();
    },
    {
      key: { notes: ['ticket', 'id'] },
      streams: {
        tickets: { list: { address: '/tickets' } },
        notes: {
          list: { address: '/tickets/{ticket}/notes', rows: 'notes' },
          parents: { stream: 'tickets', as: 'ticket' },
          writes: {
            create: { method: 'PUT', address: '/tickets/{ticket}' },
            stored: { text: 'text' },
            created: { match: ['text'] },
          },
        },
      },
    },
  );
  const stream = system.stream('notes');
  const { writes } = system.driver;
  const values = (text: string) => ({ ticket: '1', text });
  return {
    notes,
    create: (text: string) => writes.create(stream, values(text), intent({ position: null })),
    find: (text: string) => writes.findCreated(stream, values(text), intent({ position: null })),
    position: () => writes.positionBeforeCreate(stream, '0198-w', {}),
  };
}

describe('a create', () => {
  test('sends its values in the envelope and returns the key of the response', async () => {
    const { create, sent, tickets } = await setUp();
    expect(await create({ title: 'Fan', size: 2 })).toEqual({ key: '2' });
    expect(sent()).toMatchObject([{ method: 'POST', path: '/tickets', body: '{"ticket":{"title":"Fan","size":2}}' }]);
    expect(tickets.get(2)).toMatchObject({ title: 'Fan' });
  });

  test('can be sent as a form, with a value in a header, and without values in `unsent`', async () => {
    const call = { ...WRITES.create, address: '/tickets', body: 'form' as const, headers: { 'X-As': 'user {login}' } };
    const { create, sent } = await setUp([], { writes: { create: call, unsent: ['kind'] } });
    await create({ title: 'A & B', login: 'erika', kind: 'order', note: null });
    expect(sent()[0]?.headers).toMatchObject({ 'x-as': 'user erika' });
    expect(sent()[0]?.body).toBe('ticket%5Btitle%5D=A+%26+B&ticket%5Bnote%5D=');
  });

  test('is refused before it is sent if a header cannot contain the value, and sent without the header if there is none', async () => {
    const call = { ...WRITES.create, address: '/tickets', headers: { 'X-As': '{login}' } };
    const { create, sent } = await setUp([], { writes: { create: call } });
    await expect(create({ title: 'x', login: 'a\r\nb: c' })).rejects.toMatchObject({ kind: 'rejected' });
    expect(sent()).toEqual([]);
    await create({ title: 'x' });
    expect(sent()[0]?.headers).not.toHaveProperty('x-as');
  });

  test('can have a list as its body, with the other values and with products that the system does not calculate', async () => {
    const create = { address: '/tickets/{site}', list: 'lines', products: { amount: ['count', 'price'] }, key: '1.no' };
    const { create: send, sent } = await setUp([], {
      writes: { create, unsent: ['kind'] },
      before: (_, response) => {
        reply(response, [{ no: 8 }, { no: 9 }]);
        return true;
      },
    });
    const lines = [{ count: 3, price: 0.1 }, { price: 5 }, { count: 2, price: 1, amount: 1.5 }, { text: 'none' }];
    expect(await send({ site: 'a b', title: 'Fan', kind: 'order', lines })).toEqual({ key: '9' });
    expect(sent()[0]?.path).toBe('/tickets/a%20b');
    expect(JSON.parse(sent()[0]?.body ?? '')).toEqual([
      { title: 'Fan', amount: 0.3, count: 3, price: 0.1 },
      { title: 'Fan', amount: 5, price: 5 },
      { title: 'Fan', amount: 1.5, count: 2, price: 1 },
      { title: 'Fan', text: 'none' },
    ]);
  });

  test('can send numbers as texts, for a system that would cut their decimals', async () => {
    const create: ChangeCall = { address: '/tickets', envelope: 'ticket', key: 'ticket.id', numbers: 'text' };
    const { create: send, sent } = await setUp([], { writes: { create } });
    await send({ title: 'Fan', size: 2.5 });
    expect(sent()[0]?.body).toBe('{"ticket":{"title":"Fan","size":"2.5"}}');
  });

  test('takes the key from the address in Location', async () => {
    const writes = { create: { address: '/tickets', envelope: 'ticket' } };
    const { create } = await setUp([], {
      writes,
      created: (_, response) => response.writeHead(201, { location: 'http://x.example/tickets/1.json?x=1' }).end(),
    });
    expect(await create({ title: 'Fan' })).toEqual({ key: '1' });
  });

  test('whose response has no key is found by its values', async () => {
    const writes = { create: { address: '/tickets', envelope: 'ticket' } };
    const { create } = await setUp([open], { writes, created: (_, response) => response.writeHead(204).end() });
    expect(await create({ title: 'Fan' }, { position: { after: 1 } })).toEqual({ key: '2' });
  });

  test.each(['', 'id:desc'])(
    'whose response has no key is uncertain if several new rows have its values, in lists sorted by "%s"',
    async (sort) => {
      const { create } = await setUp([open, { id: 2, title: 'Fan' }], {
        writes: { created: { parameters: { sort } } },
        created: (_, response) => response.writeHead(204).end(),
      });
      await expect(create({ title: 'Fan' }, { position: { after: 1 } })).rejects.toMatchObject({
        kind: 'unconfirmed',
        clientWords: expect.stringContaining(`It has several new records with these values, such as ${sort ? 3 : 2}.`),
      });
    },
  );

  test.each([
    ['a lone surrogate', '{"ticket":{"id":"\\ud800x"}}', {}],
    ['NUL', '{"ticket":{"id":"a\\u0000b"}}', {}],
    ['a megabyte', JSON.stringify({ ticket: { id: 'k'.repeat(1_000_000) } }), {}],
    ['an address that is not valid UTF-8', '', { location: '/tickets/%E0%A4%A' }],
  ])(
    'whose key is %s is found by its values, and otherwise neither sent nor searched for again',
    async (_, body, headers) => {
      const writes = 'location' in headers ? { create: { address: '/tickets', envelope: 'ticket' } } : {};
      const { create } = await setUp([open], {
        writes,
        created: (_, response) => response.writeHead(201, headers as Record<string, string>).end(body),
      });
      expect(await create({ title: 'Fan' }, { position: { after: 1 } })).toEqual({ key: '2' });
      const lacking = await setUp([open], { ...failing(201, headers as Record<string, string>, body), writes });
      const creating = lacking.create({ title: 'Fan' }, { position: { after: 1 } });
      await expect(creating).rejects.toMatchObject({ kind: 'unconfirmed' });
    },
  );

  describe('whose response has content, but no key,', () => {
    const refusal = { fault: { code: 'LOCKED', text: 'Creating is locked until Monday' } };
    const words = (content: string, found = 'It lists no new record with the values that were sent') =>
      `Acme responded to the create with HTTP status 200, without the key of a new record${content}. ${found}. Check in Acme whether the record exists before you repeat the write`;
    const refusing = (options: TicketsOptions['options'] = {}, writes: TicketsOptions['writes'] = {}) =>
      setUp([open], {
        options,
        writes,
        before: ({ method }, response) => {
          if (method === 'POST') reply(response, refusal);
          return method === 'POST';
        },
      });

    test('is neither sent nor searched for again, and the operator sees the response', async () => {
      const { create, sent } = await refusing();
      const error = await create({ title: 'Fan' }, { position: { after: 1 } }).catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ kind: 'unconfirmed', clientWords: words('; it contains "fault"') });
      expect(error).toMatchObject({
        words: `${words('; it contains "fault"')}. The response begins with: ${JSON.stringify(refusal)}. If this is how it refuses a create, declare "failedBy" in the options of the platform`,
      });
      expect(sent()).toHaveLength(1);
    });

    test('has the message that the platform declares for failures', async () => {
      const failures = { default: { messages: ['fault.text'] } };
      const { create } = await refusing({ failures });
      const clientWords = words(': Creating is locked until Monday');
      await expect(create({ title: 'Fan' }, { position: { after: 1 } })).rejects.toMatchObject({ clientWords });
    });

    test('is the same if the key is expected in the address in Location', async () => {
      const { create } = await refusing({}, { create: { address: '/tickets', envelope: 'ticket' } });
      await expect(create({ title: 'Fan' }, { position: { after: 1 } })).rejects.toMatchObject({ kind: 'unconfirmed' });
    });

    test('is found by its values if it was carried out, or named if only some of them are stored', async () => {
      const created = (_: Row, response: ServerResponse) => reply(response, { ok: true });
      const matched = { writes: { created: { ...WRITES.created, match: ['title'] } }, created };
      const { create } = await setUp([open], matched);
      expect(await create({ title: 'Fan', size: 2 }, { position: { after: 1 } })).toEqual({ key: '2' });
      const changing = await setUp([open], { ...matched, stores: (values) => ({ ...values, size: 7 }) });
      const found = 'It has the new record 2 with some of the values that were sent, but not with all';
      await expect(changing.create({ title: 'Fan', size: 2 }, { position: { after: 1 } })).rejects.toMatchObject({
        ...{ kind: 'unconfirmed', clientWords: words('; it contains "ok"', found) },
      });
    });

    /** A system that refuses creates without a failure status, and has a status for each read after the login. */
    const unreadable = (status: number, request?: string, content = '') =>
      setUp([open], {
        ...(request && { writes: { created: { ...WRITES.created, request } } }),
        before: ({ method, path }, response) => {
          if (method === 'POST') reply(response, refusal);
          else response.writeHead(status, status < 429 ? {} : { 'retry-after': '9' }).end(content);
          return path !== '/me';
        },
      });

    describe.each([503, 429])('and whose list cannot be read now (%i),', (status) => {
      test('must not be sent again, and is searched for after the pause that the system requests', async () => {
        const { create } = await unreadable(status);
        const clientWords = expect.stringMatching(/without the key.*cannot be read: Acme/);
        const expected = { kind: 'unsearched', clientWords, retryAfter: 9 };
        await expect(create({ title: 'Fan' })).rejects.toMatchObject(expected);
      });

      test('can be sent again after the pause if the system recognizes it', async () => {
        const { create } = await unreadable(status, 'request');
        await expect(create({ title: 'Fan' })).rejects.toMatchObject({ kind: 'unknown', retryAfter: 9 });
      });
    });

    test.each([
      [404, '<html>No such page'],
      [408, ''],
      [425, ''],
    ])('is searched for again after a failure that can be temporary (%i %s)', async (status, content) => {
      const { create } = await unreadable(status, undefined, content);
      await expect(create({ title: 'Fan' })).rejects.toMatchObject({ kind: 'unsearched' });
    });

    test.each([400, 403])('is not searched for again if the system refuses every search (%i)', async (status) => {
      const { create, sent } = await unreadable(status);
      const clientWords = expect.stringMatching(/without the key.*cannot be read: .*Check in Acme whether the record/);
      await expect(create({ title: 'Fan' })).rejects.toMatchObject({ kind: 'unconfirmed', clientWords });
      expect(sent()).toHaveLength(1);
    });
  });

  describe('whose response is an HTML page,', () => {
    const inLocation = { create: { address: '/tickets', envelope: 'ticket' } };
    const page = '<!doctype html><title>Intranet 7</title>';

    test.each([
      ['', {}, {}],
      [', even with an address in Location', { location: '/tickets/7' }, inLocation],
    ])('is found by its values, and otherwise neither sent nor searched for again%s', async (_, headers, writes) => {
      const { create } = await setUp([open], {
        writes,
        created: (_, response) => response.writeHead(201, headers).end(page),
      });
      expect(await create({ title: 'Fan' }, { position: { after: 1 } })).toEqual({ key: '2' });
      const lacking = await setUp([open], { ...failing(200, headers as Record<string, string>, page), writes });
      const clientWords =
        'Acme responded to the create with HTTP status 200, without the key of a new record, but with an HTML page. It lists no new record with the values that were sent. Check in Acme whether the record exists before you repeat the write';
      const remedy = 'Check that no login page or proxy is in front of the system';
      await expect(lacking.create({ title: 'Fan' }, { position: { after: 1 } })).rejects.toMatchObject({
        ...{ kind: 'unconfirmed', clientWords, words: `${clientWords}. ${remedy}`, cause: page },
      });
      expect(lacking.sent()).toHaveLength(1);
    });

    test('has an unknown outcome if the system recognizes it when it is sent again', async () => {
      const { create } = await setUp([open], {
        ...failing(200, { 'content-type': 'text/html' }, 'Sign in'),
        writes: { created: { ...WRITES.created, request: 'request' } },
      });
      await expect(create({ title: 'Fan' }, { position: { after: 1 } })).rejects.toMatchObject({ kind: 'unknown' });
    });
  });

  describe('whose response is empty,', () => {
    const inLocation = { create: { address: '/tickets', envelope: 'ticket' } };

    test.each([
      ['in the body', 202, {}],
      ['in the address in Location', 204, inLocation],
    ])(
      'with the key expected %s, is neither sent nor searched for again if its row is not listed',
      async (_, status, writes) => {
        const { create, sent } = await setUp([open], {
          writes,
          before: ({ method }, response) => {
            if (method === 'POST') response.writeHead(status).end();
            return method === 'POST';
          },
        });
        const clientWords = `Acme responded to the create with HTTP status ${status}, without the key of a new record. It lists no new record with the values that were sent. Check in Acme whether the record exists before you repeat the write`;
        await expect(create({ title: 'Fan' }, { position: { after: 1 } })).rejects.toMatchObject({
          ...{ kind: 'unconfirmed', clientWords, words: `${clientWords}. The response is empty` },
        });
        expect(sent()).toHaveLength(1);
      },
    );

    test('is found by its values if its key is expected in the body', async () => {
      const { create } = await setUp([open], { created: (_, response) => response.writeHead(202).end() });
      expect(await create({ title: 'Fan' }, { position: { after: 1 } })).toEqual({ key: '2' });
    });

    test('has an unknown outcome if the system recognizes it when it is sent again', async () => {
      const { create } = await setUp([open], {
        ...failing(202),
        writes: { created: { ...WRITES.created, request: 'request' } },
      });
      await expect(create({ title: 'Fan' }, { position: { after: 1 } })).rejects.toMatchObject({ kind: 'unknown' });
    });
  });

  test.each([
    [422, { kind: 'rejected', words: 'Acme returned HTTP status 422 without a reason' }],
    [200, { kind: 'unconfirmed' }],
  ])('with status %i and JSON of 50,000 levels is not done: %j', async (status, expected) => {
    const body = `{"errors":${'['.repeat(50_000)}"Title is blank"${']'.repeat(50_000)}}`;
    const { create } = await setUp([], failing(status, {}, body));
    await expect(create({ title: 'Fan' })).rejects.toMatchObject(expected);
  });

  test.each([
    [422, {}, '{"errors":["Title is blank"]}', { kind: 'rejected', words: 'Title is blank' }],
    [429, { 'retry-after': '9' }, '', { kind: 'throttled', retryAfter: 9 }],
    [503, { 'retry-after': '9' }, '', { kind: 'unknown', retryAfter: 9 }],
    [502, {}, '', { kind: 'unknown' }],
    [503, {}, '', { kind: 'unknown' }],
    [504, {}, '<html>', { kind: 'unknown' }],
    [200, {}, '<html>', { kind: 'unconfirmed' }],
    [200, {}, '{"ticket":', { kind: 'unconfirmed' }],
    [200, {}, 'Accepted', { kind: 'unconfirmed' }],
  ])('with status %i, %j and %j is not done: %j', async (status, headers, body, expected) => {
    const { create } = await setUp([], failing(status, headers as Record<string, string>, body));
    await expect(create({ title: 'Fan' })).rejects.toMatchObject(expected);
  });

  test.each([
    ['that is refused with status 404 does not report a deleted record', '{"errors":["No such project"]}', 'rejected'],
    ['that a proxy does not pass on has an unknown outcome', '<html>Not found', 'invalid'],
  ])('%s', async (_, body, kind) => {
    const { create } = await setUp([], failing(404, {}, body));
    await expect(create({ title: 'Fan' })).rejects.toMatchObject({ kind });
  });

  test('is not refused because a proxy does not find the list of existing rows', async () => {
    const { position } = await setUp([open], {
      before: (_, response) => response.writeHead(404).end('<html>Not found') && true,
    });
    await expect(position()).rejects.toMatchObject({ kind: 'invalid' });
  });

  test('that a closed port refuses was not sent', async () => {
    const system = restSystemAt(new URL('http://127.0.0.1:1/'), {
      streams: { tickets: { list: { address: '/tickets' }, writes: WRITES } },
    });
    const creating = system.driver.writes.create(system.stream('tickets'), { title: 'x' }, intent());
    await expect(creating).rejects.toMatchObject({ kind: 'unavailable' });
  });

  test('whose connection is reset has an unknown outcome', async () => {
    const url = await rawServer((socket) => socket.resetAndDestroy());
    const system = restSystemAt(url, { streams: { tickets: { list: { address: '/tickets' }, writes: WRITES } } });
    const creating = system.driver.writes.create(system.stream('tickets'), { title: 'x' }, intent());
    await expect(creating).rejects.toMatchObject({ kind: 'unknown' });
  });

  test('whose response is lost is found among the rows after the position', async () => {
    const { create, find, position, tickets } = await setUp([{ ...open, title: 'Fan' }], losing);
    expect(await position()).toEqual({ after: 1 });
    expect(await find({ title: 'Fan' }, { position: { after: 1 } })).toBeNull();
    await expect(create({ title: 'Fan' })).rejects.toMatchObject({ kind: 'unknown' });
    for (let id = 3; id < 12; id += 1) tickets.set(id, { id, title: 'Other' });
    expect(await find({ title: ' Fan\n', size: null }, { position: { after: 1 } })).toEqual({ key: '2' });
    tickets.set(12, { id: 12, title: 'Fan' });
    await expect(find({ title: 'Fan' }, { position: { after: 1 } })).rejects.toMatchObject({ kind: 'unconfirmed' });
  });

  test('whose response is lost is found by its marker, even if the system ignores the filter', async () => {
    const created = { marker: 'ref', parameters: { ref: '{marker}' } };
    const { create, find, tickets } = await setUp([{ ...open, ref: 'other' }], { ...losing, writes: { created } });
    expect(await find({}, { position: null })).toBeNull();
    await expect(create({ title: 'Fan' })).rejects.toMatchObject({ kind: 'unknown' });
    expect(tickets.get(2)?.ref).toMatch(/^[0-9A-V]{26}$/);
    expect(await find({}, { position: null })).toEqual({ key: '2' });
    const inHeader = { create: { ...WRITES.create, address: '/tickets', headers: { 'X-Comment': '{ref}' } }, created };
    const headed = await setUp([], { writes: inHeader });
    await headed.create({ title: 'Fan' });
    expect(headed.sent()[0]?.headers['x-comment']).toMatch(/^[0-9A-V]{26}$/);
    expect(headed.sent()[0]?.body).toBe('{"ticket":{"title":"Fan"}}');
    const ignoring = await setUp([{ ...open, ref: 'other' }], { writes: { created: { ...created, parameters: {} } } });
    expect(await ignoring.find({}, { position: null })).toBeNull();
  });

  test.each([
    ['changed', ({ size: _, ...values }: Row) => ({ ...values, size: 7 })],
    ['ignored', ({ size: _, ...values }: Row) => values],
  ])('whose response is lost is uncertain if the system %s a value, and is not sent again', async (_, stores) => {
    const created = { ...WRITES.created, match: ['title'] };
    const { create, find, tickets } = await setUp([open], { ...losing, stores, writes: { created } });
    const position = { after: 1 };
    await expect(create({ title: 'Fan', size: 2 }, { position })).rejects.toMatchObject({ kind: 'unknown' });
    await expect(find({ title: 'Fan', size: 2 }, { position })).rejects.toMatchObject({
      kind: 'unconfirmed',
      words: 'Acme has the new record 2 with some of these values, but not with all',
    });
    expect(await find({ title: 'Other', size: 7 }, { position })).toBeNull();
    tickets.set(3, { id: 3, title: 'Fan', size: 2 });
    expect(await find({ title: 'Fan', size: 2 }, { position })).toEqual({ key: '3' });
  });

  test('without values that identify it is uncertain if a new row has one of the values', async () => {
    const { find } = await setUp([open]);
    await expect(find({ title: 'Fan', size: 1 })).rejects.toMatchObject({ kind: 'unconfirmed' });
    expect(await find({ title: 'Fan', size: 2, state_id: null })).toBeNull();
  });

  test('that could not be found again is refused before it is sent', async () => {
    const { create, sent } = await setUp();
    await expect(create({ note: 'x' })).rejects.toMatchObject({
      kind: 'rejected',
      words: expect.stringContaining('"stored"'),
    });
    expect(sent()).toEqual([]);
  });
});

describe('a create in the list of a parent, with a clock that is an hour ahead,', () => {
  const stored = [{ id: 7, text: 'Done' }];

  test('returns the new row, although its response is empty and an older row has the same values', async () => {
    const { create, notes } = await notesOf(stored);
    expect(await create('Done')).toEqual({ key: '1/8' });
    expect(notes.map(({ id }) => id)).toEqual([7, 8]);
  });

  test('is found if its response is lost, and not sent again', async () => {
    const { create, find, position } = await notesOf(stored, { loses: true });
    expect(await position()).toBeNull();
    await expect(create('Done')).rejects.toMatchObject({ kind: 'unknown' });
    expect(await find('Done')).toEqual({ key: '1/8' });
  });

  test('is not found among older rows if it was not carried out', async () => {
    const { create, find } = await notesOf(stored, { loses: true, ignores: true });
    await expect(create('Done')).rejects.toMatchObject({ kind: 'unknown' });
    expect(await find('Done')).toBeNull();
  });

  test('is uncertain after a restart if a row has the same values', async () => {
    const { find } = await notesOf(stored);
    await expect(find('Done')).rejects.toMatchObject({
      kind: 'unconfirmed',
      words: 'Acme has the record 1/7 with these values, which may be an older one',
    });
    expect(await find('Other')).toBeNull();
  });
});

describe('a create in a list that is not sorted by the newest row', () => {
  const suppliers = Array.from({ length: 14 }, (_, index) => ({ id: index + 1, title: 'Pump' }));
  const unsorted = (stored: readonly Row[] = suppliers) =>
    setUp(stored, { ...losing, writes: { created: { match: ['title'] } } });
  const use = { actions: [], writes: new Set(['create'] as const) };

  test('begins after the highest key of the whole list, and is found at its end', async () => {
    const { create, find, position } = await unsorted();
    expect(await position()).toEqual({ after: 14 });
    await expect(create({ title: 'Fan' }, { position: { after: 14 } })).rejects.toMatchObject({ kind: 'unknown' });
    expect(await find({ title: 'Fan' }, { position: { after: 14 } })).toEqual({ key: '15' });
    expect(await find({ title: 'Pump' }, { position: { after: 14 } })).toBeNull();
  });

  test('is found behind an older row at the beginning of a page', async () => {
    const [first, ...others] = suppliers;
    const { find } = await unsorted([{ ...first, id: 15, title: 'Fan' }, ...others, { id: 16, title: 'Valve' }]);
    expect(await find({ title: 'Fan' }, { position: { after: 14 } })).toEqual({ key: '15' });
    expect(await find({ title: 'Valve' }, { position: { after: 14 } })).toEqual({ key: '16' });
  });

  test('is refused before it is sent if the list is too long to be read, which a probe reports after two pages', async () => {
    const long = Array.from({ length: 140 }, (_, index) => ({ id: index + 1, title: 'Pump' }));
    const { position, probe, stream, sent, received } = await unsorted(long);
    const words = expect.stringMatching(
      /^Acme does not list the newest rows of tickets first, so a new record could not be found.*"marker"/,
    );
    await expect(position()).rejects.toMatchObject({ kind: 'rejected', words });
    expect(sent()).toEqual([]);
    const before = received.length;
    expect((await probe(stream('tickets'), use)).notes).toEqual([
      expect.stringMatching(/is refused if it has more than 20 pages\. .*"marker"\.$/),
    ]);
    expect(received.slice(before).map(({ path }) => path)).toEqual([
      '/tickets?page=1&size=1',
      '/tickets?page=1&size=10',
      '/tickets?page=2&size=10',
    ]);
  });

  test.each([
    [400, 'a note', { notes: ['Cannot sort.'] }],
    [429, 'thrown, so that the check waits', { kind: 'throttled' }],
    [503, 'thrown', { kind: 'unavailable' }],
  ])('that cannot be read in this order, with status %i, is %s', async (status, _, expected) => {
    const { probe, stream } = await setUp(suppliers, {
      before: ({ path }, response) => {
        const isSorted = path.includes('sort=');
        if (isSorted) response.writeHead(status).end('{"errors":["Cannot sort"]}');
        return isSorted;
      },
    });
    expect(await probe(stream('tickets'), use).catch((error: unknown) => error)).toMatchObject(expected);
  });

  test('has an unknown outcome if the list has become too long since', async () => {
    const { find, tickets } = await unsorted();
    for (let id = 15; id < 80; id += 1) tickets.set(id, { id, title: 'Other' });
    await expect(find({ title: 'Fan' }, { position: { after: 14 } })).rejects.toMatchObject({ kind: 'rejected' });
  });

  test('is found behind older rows that were created at the same time, such as those of an import', async () => {
    const imported = suppliers.map((row) => ({ ...row, at: '2026-01-01T00:00:00.000Z' }));
    const created = { by: 'at', match: ['title'] };
    const last = { id: 15, title: 'Valve', at: '2026-03-01T00:00:00.000Z' };
    const { create, find, position } = await setUp([...imported, last], { ...losing, writes: { created } });
    expect(await position()).toEqual({ after: last.at });
    await expect(create({ title: 'Fan' }, { position: { after: last.at } })).rejects.toMatchObject({ kind: 'unknown' });
    expect(await find({ title: 'Fan' }, { position: { after: last.at } })).toEqual({ key: '16' });
  });

  test('is found if the system returns one row per page, in either order', async () => {
    for (const created of [{ match: ['title'] }, { ...WRITES.created, match: ['title'] }]) {
      const { find, position } = await setUp([...suppliers, { id: 15, title: 'Fan' }], {
        writes: { created },
        paging: { pages: { parameter: 'page' } },
      });
      expect(await position()).toEqual({ after: 15 });
      expect(await find({ title: 'Fan' }, { position: { after: 14 } })).toEqual({ key: '15' });
    }
  });

  test('is read no further than needed if the newest of several equal rows come first', async () => {
    const equal = suppliers.map((row) => ({ ...row, at: row.id > 3 ? '2026-01-02' : '2026-01-01' }));
    const created = { ...WRITES.created, by: 'at' };
    const { position, received } = await setUp(equal, { writes: { created } });
    expect(await position()).toEqual({ after: '2026-01-02' });
    expect(received.map(({ path }) => new URL(path, 'http://system.example').searchParams.get('page'))).toEqual([
      '1',
      '1',
      '2',
      '3',
      '4',
    ]);
  });

  test('is reported by a probe, unless the list is short or sorted', async () => {
    const { probe, stream } = await unsorted();
    expect((await probe(stream('tickets'), use)).notes).toEqual([
      'Acme does not list the newest rows of tickets first, so every create reads the whole list, and is refused if it has more than 20 pages. Sort it in "parameters" of "created", or name a "marker".',
    ]);
    expect((await probe(stream('tickets'), { ...use, writes: new Set() })).notes).toEqual([]);
    const sorted = await setUp(suppliers);
    expect((await sorted.probe(sorted.stream('tickets'), use)).notes).toEqual([]);
    const short = await unsorted(suppliers.slice(0, 2));
    expect((await short.probe(short.stream('tickets'), use)).notes).toEqual([]);
  });
});

describe('a response that reports a failure in its body, with status 200,', () => {
  const fault = (code: string) => ({ fault: { code, text: `No: ${code}` } });
  const declared = {
    failedBy: 'fault',
    failures: {
      default: {
        messages: ['fault.text'],
        codes: { path: 'fault.code', kinds: { DUPLICATE: 'duplicate', MAINTENANCE: 'unavailable', NONE: 'gone' } },
      },
    },
  } as const;
  const refusing = (code: string, methods: readonly string[], options: TicketsOptions['options'] = declared) =>
    setUp([open], {
      options,
      before: ({ method, path }, response) => {
        const isRefused = methods.includes(method) && path !== '/me';
        if (isRefused) reply(response, fault(code));
        return isRefused;
      },
    });

  test.each([
    ['VALIDATION', 'rejected'],
    ['DUPLICATE', 'duplicate'],
    ['MAINTENANCE', 'unavailable'],
  ])('refuses creates, updates, actions and deletes: %s is %s', async (code, kind) => {
    const { create, update, act, remove } = await refusing(code, ['POST', 'PUT', 'DELETE']);
    const refused = { kind, words: `No: ${code}` };
    await expect(create({ title: 'Fan' })).rejects.toMatchObject(refused);
    await expect(update({ title: 'Fan' })).rejects.toMatchObject(refused);
    await expect(act('ping')).rejects.toMatchObject(refused);
    await expect(remove()).rejects.toMatchObject(refused);
  });

  test.each([
    ['', ['GET'] as const],
    [', and so is that of a success', [] as const],
  ])('has a body that is parsed once%s', async (_, methods) => {
    const { pullAll } = await refusing('MAINTENANCE', methods);
    const parse = vi.spyOn(JSON, 'parse');
    onTestFinished(() => parse.mockRestore());
    await pullAll('tickets').catch(() => undefined);
    const parsed = parse.mock.calls.map(([text]) => text).filter((text) => /fault|tickets/.test(text));
    expect(parsed.length).toBeGreaterThan(0);
    expect(parsed).toEqual([...new Set(parsed)]);
  });

  test('refuses reads, and is not an empty list', async () => {
    const { pullAll, read } = await refusing('MAINTENANCE', ['GET']);
    const refused = { kind: 'unavailable', words: 'No: MAINTENANCE' };
    await expect(pullAll('tickets')).rejects.toMatchObject(refused);
    await expect(read()).rejects.toMatchObject(refused);
  });

  test('is named by the message about the missing list if it is not declared', async () => {
    const { pullAll } = await refusing('MAINTENANCE', ['GET'], {});
    const words = 'The response has no list at "tickets"; it contains "fault"';
    await expect(pullAll('tickets')).rejects.toMatchObject({ kind: 'invalid', words });
  });

  test('can mean that a row does not exist', async () => {
    const { read, update, remove } = await refusing('NONE', ['GET', 'DELETE']);
    expect(await read()).toBeNull();
    await expect(update({ title: 'Fan' })).rejects.toMatchObject({ kind: 'gone' });
    await expect(remove()).resolves.toBeUndefined();
  });

  test('has the meaning that its status is declared to have', async () => {
    const options = { ...declared, failures: { 200: { kind: 'forbidden', messages: ['fault.text'] } } } as const;
    const { act } = await refusing('SCOPE', ['POST'], options);
    await expect(act('ping')).rejects.toMatchObject({ kind: 'forbidden', words: 'No: SCOPE' });
  });

  test('is recognized by a value other than that of a success', async () => {
    const options = { ...declared, failedBy: { path: 'result.code', unless: [0, 'ok'] } } as const;
    let code: unknown = 0;
    const { act } = await setUp([open], {
      options,
      before: ({ method }, response) => {
        if (method === 'POST') reply(response, { result: { code } });
        return method === 'POST';
      },
    });
    for (code of [0, 'ok', null, undefined]) await expect(act('ping')).resolves.toBeUndefined();
    for (code of [7, false, 'no']) await expect(act('ping')).rejects.toMatchObject({ kind: 'rejected' });
  });

  test('is a success if the object is there without a value', async () => {
    for (const nothing of [null, '', false, [], {}]) {
      const { act } = await setUp([open], {
        options: declared,
        before: ({ method }, response) => {
          if (method === 'POST') reply(response, { fault: nothing });
          return method === 'POST';
        },
      });
      await expect(act('ping')).resolves.toBeUndefined();
    }
  });
});

describe('an update', () => {
  test('sends the values and keeps the rest', async () => {
    const { update, sent, tickets } = await setUp();
    await update({ title: 'Fan' });
    expect(sent()).toMatchObject([{ method: 'PUT', path: '/tickets/1', body: '{"ticket":{"title":"Fan"}}' }]);
    expect(tickets.get(1)).toMatchObject({ title: 'Fan', size: 1 });
  });

  test('clears a value with null, with an empty text, or with the word of the column', async () => {
    const { update, sent } = await setUp();
    await update({ title: null });
    const texts = await setUp([open], {
      writes: { update: { address: '/tickets/{id}', envelope: 'ticket', cleared: 'text', empty: { title: 'None' } } },
    });
    await texts.update({ note: null, title: null });
    expect([...sent(), ...texts.sent()].map(({ body }) => body)).toEqual([
      '{"ticket":{"title":null}}',
      '{"ticket":{"note":"","title":"None"}}',
    ]);
  });

  test('that the system accepts and ignores is rejected with a remedy', async () => {
    const { update } = await setUp([open], { stores: ({ title: _, ...values }) => values });
    await expect(update({ title: 'Fan', size: 2 })).rejects.toMatchObject({
      kind: 'rejected',
      columns: ['title'],
      words:
        'Acme accepted the request but did not change title; other values may have been changed. Check the rules of Acme for this change and the rights of the user',
    });
    await expect(update({ title: 'Pump' })).resolves.toBeUndefined();
  });

  test('of a value that the system rounds is done', async () => {
    const { update, tickets } = await setUp([open], { stores: ({ size }) => ({ size: Math.round(Number(size)) }) });
    await update({ size: 2.6 });
    expect(tickets.get(1)?.size).toBe(3);
  });

  test('whose result cannot be read has an unknown outcome', async () => {
    let isChanged = false;
    const { update } = await setUp([open], {
      before: ({ method }, response) => {
        if (isChanged) response.writeHead(503).end();
        isChanged ||= method === 'PUT';
        return method === 'GET' && isChanged;
      },
    });
    await expect(update({ title: 'Fan' })).rejects.toMatchObject({ kind: 'unknown' });
  });

  test('of a record that the system hides from a user without access does not report that it is gone', async () => {
    const { update, remove } = await setUp([open], {
      before: ({ method, path }, response) => {
        const isHidden = method !== 'GET' || path === '/me';
        if (isHidden) response.writeHead(path === '/me' ? 401 : 404).end();
        return isHidden;
      },
    });
    await expect(update({ title: 'Fan' })).rejects.toMatchObject({ kind: 'unauthorized' });
    await expect(remove()).rejects.toMatchObject({ kind: 'unauthorized' });
  });

  test('of a record that does not exist is gone, unless a proxy returns 404', async () => {
    const { update, sent } = await setUp([]);
    await expect(update({ title: 'Fan' })).rejects.toMatchObject({ kind: 'gone' });
    expect(sent()).toEqual([]);
    const deleted = await setUp([open], failing(404));
    await expect(deleted.update({ title: 'Fan' })).rejects.toMatchObject({ kind: 'gone' });
    const proxied = await setUp([open], failing(404, { 'content-type': 'text/plain' }, '404 page not found'));
    await expect(proxied.update({ title: 'Fan' })).rejects.toMatchObject({ kind: 'invalid' });
  });

  test('is sent with the ETag, and a conflict if another user changes the record first', async () => {
    const locked = { lock: { etag: true as const } };
    const { update, sent, remove } = await setUp([open], { writes: locked });
    await update({ title: 'Fan' });
    await remove();
    expect(sent().map(({ headers }) => headers['if-match'])).toEqual(['"1"', '"2"']);
    const raced = await setUp([open], {
      writes: locked,
      before: ({ method }) => {
        const { version = 1, ...ticket } = raced.tickets.get(1) ?? {};
        if (method !== 'GET') raced.tickets.set(1, { ...ticket, version: Number(version) + 1 });
        return false;
      },
    });
    await expect(raced.update({ title: 'Fan' })).rejects.toMatchObject({ kind: 'conflict' });
    await expect(raced.remove()).rejects.toMatchObject({ kind: 'conflict' });
    expect(raced.tickets.get(1)).toMatchObject({ title: 'Pump' });
  });

  test('can contain the version of the row', async () => {
    const { update, sent } = await setUp([open], { writes: { lock: { property: 'version' } } });
    await update({ title: 'Fan' });
    expect(sent()[0]?.body).toBe('{"ticket":{"title":"Fan","version":1}}');
  });
});

describe('a choice', () => {
  test('is sent as the key that the row offers for its name or for its key', async () => {
    const { update, act, read } = await setUp([{ ...open, state: { id: 1 } }]);
    await update({ state_id: '2' });
    expect(await read()).toMatchObject({ state: { name: 'Open' } });
    await act('close');
    expect(await read()).toMatchObject({ state: { name: 'Closed' } });
  });

  test('that the row does not offer is refused before it is sent', async () => {
    const { act, sent } = await setUp();
    await expect(act('change', { state_id: 'New' })).rejects.toMatchObject({
      kind: 'rejected',
      words: '"New" cannot be chosen for state_id. These can be chosen now: Open, Closed',
    });
    expect(sent()).toEqual([]);
  });

  test('can be one of a list at an address, which creates use as well', async () => {
    const choices = { size: { address: '/sizes', from: 'sizes' } };
    const { create, find, tickets } = await setUp([], {
      writes: { choices },
      before: ({ path }, response) => {
        if (path === '/sizes') response.end('{"sizes":[{"id":7,"name":"Large"}]}');
        return path === '/sizes';
      },
    });
    await create({ size: 'Large' });
    expect(tickets.get(1)?.size).toBe(7);
    expect(await find({ size: 'Large' })).toEqual({ key: '1' });
    await expect(create({ size: 'Huge' })).rejects.toMatchObject({ kind: 'rejected' });
  });
});

describe('an action', () => {
  test('sets values together with those of the request, or calls an address', async () => {
    const { act, sent } = await setUp();
    await act('close', { note: 'done' });
    await act('ping');
    expect(sent().map(({ method, path, body }) => [method, path, body])).toEqual([
      ['PUT', '/tickets/1', '{"ticket":{"state_id":3,"note":"done"}}'],
      ['POST', '/tickets/1/ping', ''],
    ]);
  });

  test('that the system accepts and ignores is rejected', async () => {
    const { act } = await setUp([open], { stores: ({ state: _, ...values }) => values });
    await expect(act('close')).rejects.toMatchObject({ kind: 'rejected', columns: ['state_id'] });
  });

  test('that the platform does not define is refused, and found by a probe', async () => {
    const { act, probe, stream } = await setUp();
    await expect(act('reject')).rejects.toMatchObject({ kind: 'rejected' });
    const use = { actions: ['close', 'reject'], writes: new Set(['create', 'replace'] as const) };
    expect((await probe(stream('tickets'), use)).problems).toEqual([
      'reject: the platform does not define it for tickets',
    ]);
  });
});

describe('a delete', () => {
  test('succeeds if there is nothing to delete, but not if a proxy returns 404', async () => {
    const { remove, tickets } = await setUp();
    await remove();
    await remove();
    expect(tickets.size).toBe(0);
    const proxied = await setUp([open], failing(404, { 'content-type': 'text/html' }, '<html>'));
    await expect(proxied.remove()).rejects.toMatchObject({ kind: 'invalid' });
  });

  test('that an HTML page seems to confirm has an unknown outcome, like such an update', async () => {
    const { remove, update } = await setUp(
      [open],
      failing(200, { 'content-type': 'text/html' }, '<html>Sign in</html>'),
    );
    await expect(remove()).rejects.toMatchObject({ kind: 'invalid' });
    await expect(update({ note: 'x' })).rejects.toMatchObject({ kind: 'invalid' });
  });

  test('whose response is lost has an unknown outcome', async () => {
    const { remove, tickets } = await setUp([open], losing);
    await expect(remove()).rejects.toMatchObject({ kind: 'unknown' });
    expect(tickets.size).toBe(0);
  });
});

test('writes that could not be verified or carried out are refused with the platform', () => {
  const { created: _, ...unfindable } = WRITES;
  const refusal = (tickets: object) => {
    try {
      const list = { address: '/tickets' };
      const streams = { tickets: { list, ...tickets } };
      restSystemAt(new URL('http://127.0.0.1:1/'), { streams });
    } catch (error) {
      return error instanceof DefinitionError ? error.message : error;
    }
    return null;
  };
  expect(refusal({ writes: unfindable })).toMatch(/created/);
  expect(refusal({ writes: { ...WRITES, lock: { etag: true } } })).toMatch(/lock.etag.*"detail"/);
  expect(refusal({ writes: { actions: { close: {} } } })).toMatch(/actions.close.*"call"/);
});

test('a failure with a status of success is refused with the platform, unless it states how a body reports it', () => {
  const open = (options: object) => restSystemAt(new URL('http://127.0.0.1:1/'), { options });
  expect(() => open({ failures: { 200: { kind: 'rejected' } } })).toThrow(/failures\.200.*"failedBy"/);
  open({ failedBy: 'fault', failures: { 200: { kind: 'rejected' } } });
});
