import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { savePolicySettings } from '@unified/store';
import { mcpUser, signIn } from '@unified/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningTryton, startTryton } from '../../../test-systems/tryton/start.ts';
import { connectMcpClient } from './mcp-client.ts';
import { inspectorOf } from './mcp-inspector.ts';
import { delivered, START_MS, type Stack, startStack } from './stack.ts';
import { TRADED } from './trade.ts';
import { connectTryton } from './tryton-connection.ts';

type Doc = Readonly<Record<string, unknown>>;

const platform = 'tryton';

let tryton: RunningTryton;
let stack: Stack;
let user: Awaited<ReturnType<typeof mcpUser>>;
let admin: string;
let home: string;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'inspector-'));
  [tryton, stack] = await Promise.all([startTryton(), startStack(delivered(TRADED))]);
  const { store } = stack.database;
  user = await mcpUser(store, { platform });
  admin = (await signIn(store, stack.baseUrl, user.applicationId)).token;
  await savePolicySettings(user.customer, {
    rules: [{ tool: 'create_*', effect: 'ask', name: 'New records are checked' }],
  });
  await stack.startWorker();
  const connection = await connectTryton(stack, tryton, {}, user);
  await connection.sync('full');
}, START_MS);

afterAll(async () => {
  await stack?.stop();
  await tryton?.stop();
  await rm(home, { recursive: true, force: true });
});

describe('an agent with the client of the protocol', () => {
  test('authorizes, searches, reads, queries, proposes, executes once it is approved, and sees that Tryton has it', async () => {
    const { baseUrl, database } = stack;
    const { call } = await connectMcpClient({ baseUrl, publicUrl: database.store.publicUrl, credentials: user });

    const found = (await call('search_tools', { query: 'create vendor' })).value.tools as readonly Doc[];
    expect(found[0]).toMatchObject({ tool: 'create_vendor', platforms: [platform] });
    const read = await call('read', { platform, tool: 'list_vendors', arguments: { code: 'V001' } });
    expect(read.value).toMatchObject({ content: { data: [{ code: 'V001' }] } });
    const nothing = await call('read', { platform, tool: 'list_vendors', arguments: { code: 'nothing' } });
    expect(nothing.value.note).toBeUndefined();
    const statement = 'select count(*) as number from vendors';
    expect((await call('query', { platform, statement })).isError).toBe(false);

    const proposed = (await call('propose', newVendor('Agent Supplies GmbH'))).value.accessRequest as Doc;
    expect(proposed).toMatchObject({ status: 'pending', proposal: { plan: { status: 'planned' } } });
    expect(await partiesNamed('Agent Supplies GmbH')).toBe(0);

    const { id: accessRequestId } = proposed;
    await approve(accessRequestId);
    expect((await call('execute', { accessRequestId })).isError).toBe(false);
    expect((await call('execute', { accessRequestId })).value.code).toBe('SERVICE_INVALID_TRANSITION');
    expect((await call('status', { accessRequestId })).value).toMatchObject({
      accessRequest: { status: 'approved', executedAt: expect.any(String) },
      write: { status: 'succeeded' },
    });
    expect(await partiesNamed('Agent Supplies GmbH')).toBe(1);
  });
});

describe('the inspector of the protocol', () => {
  test('authorizes, searches, reads, queries, proposes, executes once it is approved, and sees that Tryton has it', async () => {
    const { tools, call } = inspectorOf({ url: `${stack.baseUrl}/mcp`, token: await accessToken(), home });

    expect(await tools()).toEqual(['search_tools', 'describe', 'read', 'query', 'propose', 'execute', 'status']);
    const found = (await call('search_tools', { query: 'create vendor' })).value.tools as readonly Doc[];
    expect(found[0]).toMatchObject({ tool: 'create_vendor', platforms: [platform] });
    const read = await call('read', { platform, tool: 'list_vendors', arguments: { code: 'V001' } });
    expect(read).toMatchObject({ code: 0, value: { content: { data: [{ code: 'V001' }] } } });
    const statement = 'select count(*) as number from vendors';
    expect((await call('query', { platform, statement })).code).toBe(0);

    const proposed = (await call('propose', newVendor('Inspected Supplies GmbH'))).value.accessRequest as Doc;
    expect(proposed).toMatchObject({ status: 'pending', proposal: { plan: { status: 'planned' } } });
    const { id: accessRequestId } = proposed;
    const early = await call('execute', { accessRequestId });
    expect([early.code, early.value.code]).toEqual([TOOL_ERROR, 'SERVICE_INVALID_TRANSITION']);
    expect(await partiesNamed('Inspected Supplies GmbH')).toBe(0);

    await approve(accessRequestId);
    expect((await call('execute', { accessRequestId })).code).toBe(0);
    expect((await call('execute', { accessRequestId })).code).toBe(TOOL_ERROR);
    expect((await call('status', { accessRequestId })).value).toMatchObject({
      accessRequest: { status: 'approved', executedAt: expect.any(String) },
      write: { status: 'succeeded' },
    });
    expect(await partiesNamed('Inspected Supplies GmbH')).toBe(1);
  });
});

/** Exit code of the inspector for a tool that returns an error. */
const TOOL_ERROR = 5;

const newVendor = (name: string) => ({ platform, tool: 'create_vendor', arguments: { body: { name } } });
const partiesNamed = async (name: string) => (await tryton.rpc.search('party.party', [['name', '=', name]])).length;

/** A token for the protocol. */
async function accessToken(): Promise<string> {
  const form = { grant_type: 'client_credentials', client_id: user.tokenId, client_secret: user.token };
  const issued = await fetch(`${stack.baseUrl}/oauth/token`, { method: 'POST', body: new URLSearchParams(form) });
  return ((await issued.json()) as { readonly access_token: string }).access_token;
}

/** Approves a proposal, as a person does. */
async function approve(id: unknown) {
  const decided = await fetch(`${stack.baseUrl}/v4/end-customers/${user.endCustomerId}/access-requests/${id}`, {
    method: 'PUT',
    headers: { Authorization: `Bearer ${admin}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ decision: 'approved', approver: 'mara@northwind.example' }),
  });
  expect(decided.status).toBe(200);
}
