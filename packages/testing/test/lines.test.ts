import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type Company, START_MS, startCompany } from './served-company.ts';

// Tests wait for a write as long as the service does: 30 seconds.
vi.setConfig({ testTimeout: 120_000 });

interface Line {
  readonly id: string;
  readonly _idValue: string;
  readonly line: number;
  readonly quantity: number;
  readonly description: string | null;
  readonly promisedDate: string | null;
  readonly shippedQuantity: number | null;
}
interface Order {
  readonly id: string;
  readonly lines: readonly { readonly id: string }[];
}
interface Answer {
  readonly data: Order;
  readonly code: string;
  readonly message: string;
  readonly details: readonly { readonly path: string }[];
}

let company: Company;
let item: object;
let customer: object;

beforeAll(async () => {
  company = await startCompany();
  item = { _displayValue: 'Hex bolt M8 × 40' };
  const { body } = await company.send<{ data: { id: string }[] }>('/customers?per_page=1&filter[isActive]=true');
  customer = { id: body.data[0]?.id };
}, START_MS);
afterAll(() => company?.stop());

const headers = () => ({ 'Idempotency-Key': randomUUID(), Prefer: 'wait=30' });
const write = (method: 'POST' | 'PATCH' | 'PUT', path: string, body: object) =>
  company.send<Answer>(path, { method, headers: headers(), json: body });

async function lines(order: string): Promise<Line[]> {
  const path = `/sales-order-lines?filter[salesOrder]=${order}&filter[_deletedAt]=null&sort=line`;
  return (await company.send<{ data: Line[] }>(path)).body.data;
}

async function allLines(order: string): Promise<Line[]> {
  const path = `/sales-order-lines?filter[salesOrder]=${order}&filter[_deletedAt]=null&sort=line&per_page=500`;
  return (await company.send<{ data: Line[] }>(path)).body.data;
}

/** A sales order with three lines, of 10, 20 and 30 bolts. */
async function order(): Promise<{ id: string; held: Line[] }> {
  const promisedDate = '2026-12-09';
  const sent = [10, 20, 30].map((quantity) => ({
    item,
    quantity,
    unitPrice: 0.2,
    promisedDate,
    description: `${quantity} bolts`,
  }));
  const { status, body } = await write('POST', '/sales-orders', { customer, lines: sent });
  expect(status, JSON.stringify(body)).toBe(201);
  return { id: body.data.id, held: await lines(body.data.id) };
}

describe('an order with more than a hundred lines', () => {
  const bolts = (count: number) => Array.from({ length: count }, () => ({ item, quantity: 1, unitPrice: 0.2 }));

  test('has all of them after each write, so that sending them back deletes none', async () => {
    const created = await write('POST', '/sales-orders', { customer, lines: bolts(130) });
    expect(created.status, JSON.stringify(created.body)).toBe(201);
    const { id, lines: held } = created.body.data;
    expect(held).toHaveLength(130);
    const sent = held.map((line, index) => (index === 129 ? { id: line.id, quantity: 7 } : { id: line.id }));
    const changed = await write('PATCH', `/sales-orders/${id}`, { lines: sent });
    expect(changed.status, JSON.stringify(changed.body)).toBe(200);
    expect(changed.body.data.lines.map((line) => line.id)).toEqual(held.map((line) => line.id));
    const quantities = (await allLines(id)).map(({ quantity }) => quantity);
    expect(quantities).toEqual([...Array(129).fill(1), 7]);
  });

  test('has only the new ones after they replace the earlier ones', async () => {
    const { body } = await write('POST', '/sales-orders', { customer, lines: bolts(110) });
    const replaced = await write('PATCH', `/sales-orders/${body.data.id}`, { lines: bolts(3) });
    expect(replaced.body.data.lines).toHaveLength(3);
    expect(await allLines(body.data.id)).toHaveLength(3);
  });
});

describe('lines of an order', () => {
  test.each([
    ['id', ({ id }: Line) => ({ id })],
    ['_idValue', ({ _idValue }: Line) => ({ _idValue })],
    ['number', ({ line }: Line) => ({ line })],
  ])('identified by their %s keep their ids and what is not sent', async (_, key) => {
    const { id, held } = await order();
    const [first, second, third] = held as [Line, Line, Line];
    const sent = [key(first), { ...key(second), quantity: 21 }, key(third)];
    const { status, body } = await write('PATCH', `/sales-orders/${id}`, { lines: sent });
    expect(status, JSON.stringify(body)).toBe(200);
    const without = ({ quantity, ...line }: Line & { _updatedAt?: string; total?: number; taxAmount?: number }) => {
      const { _updatedAt, total, taxAmount, ...rest } = line;
      return rest;
    };
    const after = await lines(id);
    expect(after.map(without)).toEqual(held.map(without));
    expect(after.map(({ quantity }) => quantity)).toEqual([10, 21, 30]);
  });

  test.each(['PATCH', 'PUT'] as const)(
    'a %s adds a line with a number that the order does not have',
    async (method) => {
      const { id } = await order();
      const head = method === 'PUT' ? { customer } : {};
      const sent = { ...head, lines: [{ line: 1 }, { line: 2 }, { line: 3 }, { line: 7, item }] };
      const { status, body } = await write(method, `/sales-orders/${id}`, sent);
      expect([status, body.code]).toEqual([400, 'SERVICE_INVALID_BODY']);
      expect(body.message).toMatch('body/lines/3/quantity: "quantity" is missing. The record has no line 7');
      const added = { ...sent, lines: [...sent.lines.slice(0, 3), { line: 7, item, quantity: 4 }] };
      expect((await write(method, `/sales-orders/${id}`, added)).status).toBe(200);
      expect((await lines(id)).map(({ line, quantity }) => [line, quantity])).toEqual([
        ...[1, 2, 3].map((line) => [line, 10 * line]),
        [7, 4],
      ]);
    },
  );

  test('a new order needs them for every line', async () => {
    const { status, body } = await write('POST', '/sales-orders', { customer, lines: [{ line: 1, item }] });
    expect([status, body.details[0]?.path]).toEqual([400, 'body/lines/0/quantity']);
  });

  test('a line can be added and another removed; the rest stay', async () => {
    const { id, held } = await order();
    const [first, , third] = held as [Line, Line, Line];
    const sent = [{ id: first.id }, { id: third.id }, { item, quantity: 40, unitPrice: 0.2 }];
    expect((await write('PATCH', `/sales-orders/${id}`, { lines: sent })).status).toBe(200);
    const after = await lines(id);
    expect(after.map(({ line, quantity }) => [line, quantity])).toEqual([
      [1, 10],
      [3, 30],
      [4, 40],
    ]);
    expect(after.slice(0, 2).map((line) => line.id)).toEqual([first.id, third.id]);
  });

  test('a dry run shows the lines that would be changed, added and removed, and changes none', async () => {
    const { id, held } = await order();
    const [first, second, third] = held;
    const sent = [{ id: second?.id, quantity: 21 }, { item, quantity: 40, unitPrice: 0.2 }, { line: 1 }];
    const { status, body } = await company.send<{ lines: unknown; resolvedRefs: { field: string }[] }>(
      `/sales-orders/${id}?dryRun=true`,
      { method: 'PATCH', json: { lines: sent } },
    );
    expect(status, JSON.stringify(body)).toBe(202);
    expect(body.lines).toEqual([
      { field: 'lines', op: 'update', _idValue: second?._idValue, values: { quantity: 21 } },
      { field: 'lines', op: 'create', _idValue: null, values: { quantity: 40, unitPrice: 0.2 } },
      { field: 'lines', op: 'update', _idValue: first?._idValue, values: { line: 1 } },
      { field: 'lines', op: 'delete', _idValue: third?._idValue, values: {} },
    ]);
    expect(body.resolvedRefs.map(({ field }) => field)).toEqual(['lines[1].item']);
    expect(await lines(id)).toEqual(held);
  });

  test('a replacement keeps identified lines with what they omit, and removes the others', async () => {
    const { id, held } = await order();
    const [first] = held as [Line];
    const sent = { customer, lines: [{ id: first.id, quantity: 5 }] };
    const { status, body } = await write('PUT', `/sales-orders/${id}`, sent);
    expect(status, JSON.stringify(body)).toBe(200);
    const after = await lines(id);
    expect(after).toMatchObject([{ id: first.id, quantity: 5, promisedDate: '2026-12-09' }]);
  });

  test('the quantity of a line can be changed after another line was shipped', async () => {
    const { id, held } = await order();
    const [first, second, third] = held as [Line, Line, Line];
    const act = (action: string, body: object) =>
      company.send(`/sales-orders/${id}/actions/${action}`, { method: 'POST', headers: headers(), json: body });
    await act('set-status', { statusCategory: 'open' });
    await act('ship', { lines: [{ line: { id: first.id }, quantity: 10 }] });
    const sent = [{ id: first.id }, { id: second.id, quantity: 25 }, { id: third.id }];
    const { status, body } = await write('PATCH', `/sales-orders/${id}`, { lines: sent });
    expect(status, JSON.stringify(body)).toBe(200);
    expect(await lines(id)).toMatchObject([{ shippedQuantity: 10 }, { quantity: 25 }, { quantity: 30 }]);
  });

  test('a line that another user has added is not removed: the write is refused, and the line can be read', async () => {
    const { id, held } = await order();
    const [first, , third] = held as [Line, Line, Line];
    const [number] = first._idValue.split('/');
    await company.sql(
      'insert into vkpos (vknr, posnr, artid, menge, eh, preis) select vknr, 9, artid, menge, eh, preis from vkpos where vknr::text = $1 and posnr = 1',
      [number],
    );
    const change = { lines: [{ id: first.id, quantity: 11 }, { id: third.id }] };
    for (const method of ['PATCH', 'PUT'] as const) {
      if (method === 'PUT') await company.sql('delete from vkpos where vknr::text = $1 and posnr = 2', [number]);
      const { status, body } = await write(method, `/sales-orders/${id}`, { customer, ...change });
      expect([status, body.code], JSON.stringify(body)).toEqual([409, 'SERVICE_CONFLICT']);
      const [added, removed] = method === 'PATCH' ? [[`${number}/9`], []] : [[], [`${number}/2`]];
      expect(body.details).toContainEqual({ field: 'lines', added, removed });
      const numbers = method === 'PATCH' ? [1, 2, 3, 9] : [1, 3, 9];
      expect((await lines(id)).map(({ line }) => line)).toEqual(numbers);
    }
    const again = await write('PATCH', `/sales-orders/${id}`, change);
    expect(again.status, JSON.stringify(again.body)).toBe(200);
    expect(await lines(id)).toMatchObject([{ line: 1, quantity: 11 }, { line: 3 }]);
  });

  test('a change that is reversed restores the lines', async () => {
    const { id, held } = await order();
    const [first, second] = held as [Line, Line];
    const sent = [
      { id: second.id, quantity: 99 },
      { item, quantity: 40 },
    ];
    const { headers: returned } = await write('PATCH', `/sales-orders/${id}`, { lines: sent });
    expect((await lines(id)).map(({ quantity }) => quantity)).toEqual([99, 40]);
    const path = `/writes/${returned.get('Write-Id')}/actions/compensate`;
    const { body } = await company.send<{ writeId: string }>(path, { method: 'POST', headers: headers() });
    const settled = () => company.send<{ status: string }>(`/writes/${body.writeId}`);
    await vi.waitFor(async () => expect((await settled()).body.status).toBe('succeeded'), {
      timeout: 60_000,
      interval: 200,
    });
    expect(await lines(id)).toMatchObject(
      held.map(({ line, quantity, description }) => ({ line, quantity, description })),
    );
    expect((await lines(id))[0]?.id).toBe(first.id);
  });

  test('two lines with the same number are refused with the position of the second', async () => {
    const sent = [3, 7, 3].map((line) => ({ line, item, quantity: 1 }));
    const { held, id } = await order();
    const requests = [
      write('POST', '/sales-orders', { customer, lines: sent }),
      write('PATCH', `/sales-orders/${id}`, { lines: sent }),
      write('PUT', `/sales-orders/${id}`, { customer, lines: sent }),
    ];
    for (const { status, body } of await Promise.all(requests)) {
      expect([status, body.code]).toEqual([400, 'SERVICE_INVALID_BODY']);
      expect(body.details.map(({ path }) => path)).toEqual(['body/lines/2/line']);
    }
    expect(await lines(id)).toEqual(held);
  });

  test('a key of another order, an unknown one and a repeated one are refused with their position', async () => {
    const [{ id, held }, other] = [await order(), await order()];
    const [first] = held as [Line];
    for (const key of [{ id: other.held[0]?.id }, { id: randomUUID() }, { _idValue: '0/0' }]) {
      const { status, body } = await write('PATCH', `/sales-orders/${id}`, {
        lines: [{ id: first.id }, { ...key, quantity: 1 }],
      });
      expect([status, body.code]).toEqual([422, 'SERVICE_UNRESOLVED_REFERENCE']);
      expect(body.message).toContain('`lines[1]`');
    }
    const twice = [{ id: first.id }, { _idValue: first._idValue, quantity: 1 }];
    const { status, body } = await write('PATCH', `/sales-orders/${id}`, { lines: twice });
    expect([status, body.code]).toEqual([422, 'SERVICE_UNRESOLVED_REFERENCE']);
    expect(body.message).toContain('`lines[1]`');
    expect(await lines(id)).toEqual(held);
  });

  test('a new line needs its quantity; a new order has no lines to identify', async () => {
    const { id } = await order();
    const { status, body } = await write('PATCH', `/sales-orders/${id}`, { lines: [{ item }] });
    expect([status, body.code, body.details[0]?.path]).toEqual([400, 'SERVICE_INVALID_BODY', 'body/lines/0/quantity']);
    const created = await write('POST', '/sales-orders', {
      customer,
      lines: [{ id: randomUUID(), item, quantity: 1 }],
    });
    expect([created.status, created.body.code]).toEqual([422, 'SERVICE_UNRESOLVED_REFERENCE']);
  });
});
