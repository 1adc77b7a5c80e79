import { afterAll, beforeAll, expect, test } from 'vitest';
import { freshVendor } from '../../connectors/test/fresh-vendor.ts';
import { START_MS } from './stack.ts';
import { startTraceReceiver, type TraceReceiver, treeOf } from './trace-receiver.ts';
import { startTrade, type Trade } from './trade.ts';

let receiver: TraceReceiver;
let trade: Trade;

beforeAll(async () => {
  receiver = await startTraceReceiver();
  trade = await startTrade();
}, START_MS);

afterAll(async () => {
  await trade?.stop();
  await receiver?.stop();
});

const TRACE = '0af7651916cd43dd8448eb211c80319c';

test('one trace leads from a request to Tryton and back, by OTLP', async () => {
  const { data, response } = await trade.client.POST('/vendors', {
    body: freshVendor,
    headers: { Prefer: 'wait=30', traceparent: `00-${TRACE}-b7ad6b7169203331-01` },
  });
  expect(response.status).toBe(201);
  expect(data).toMatchObject({ data: { name: freshVendor.name } });
  await expect.poll(async () => treeOf(await receiver.spansOf(TRACE))).toContain('  write createVendor');
  const tree = treeOf(await receiver.spansOf(TRACE));
  expect(tree.slice(0, 2)).toEqual(['POST /v4/vendors', '  write createVendor']);
  expect(tree).toContain('    call for write');
  expect(tree).toContain('      POST');
});
