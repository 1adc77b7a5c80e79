import { savePolicySettings } from '@unified/store';
import { mcpUser, signIn } from '@unified/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningTryton, startTryton } from '../../../test-systems/tryton/start.ts';
import { connectMcpClient } from './mcp-client.ts';
import { START_MS, type Stack, startStack } from './stack.ts';
import { connectTryton } from './tryton-connection.ts';

type Doc = Readonly<Record<string, unknown>>;

const platform = 'tryton';

let tryton: RunningTryton;
let stack: Stack;
let user: Awaited<ReturnType<typeof mcpUser>>;
let admin: string;

beforeAll(async () => {
  [tryton, stack] = await Promise.all([startTryton(), startStack()]);
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
});

describe('an agent with a client of the protocol', () => {
  test('authorizes, searches, reads, queries, proposes, executes once it is approved, and sees that Tryton has it', async () => {
    const { baseUrl, database } = stack;
    const { call } = await connectMcpClient({ baseUrl, publicUrl: database.store.publicUrl, credentials: user });

    const found = (await call('search_tools', { query: 'create vendor' })).value.tools as readonly Doc[];
    expect(found[0]).toMatchObject({ tool: 'create_vendor', platforms: [platform] });
    const read = await call('read', { platform, tool: 'list_vendors', arguments: { code: 'V001' } });
    expect(read.value).toMatchObject({ content: { data: [{ code: 'V001' }] } });
    const statement = 'select count(*) as number from vendors';
    expect((await call('query', { platform, statement })).isError).toBe(false);

    const given = { platform, tool: 'create_vendor', arguments: { body: { name: 'Agent Supplies GmbH' } } };
    const proposed = (await call('propose', given)).value.accessRequest as Doc;
    expect(proposed).toMatchObject({ status: 'pending', proposal: { plan: { status: 'planned' } } });
    expect(await partiesNamed('Agent Supplies GmbH')).toBe(0);

    const { id: accessRequestId } = proposed;
    const decided = await fetch(
      `${baseUrl}/v4/end-customers/${user.endCustomerId}/access-requests/${accessRequestId}`,
      {
        method: 'PUT',
        headers: { Authorization: `Bearer ${admin}`, 'Content-Type': 'application/json' },
        body: JSON.stringify({ decision: 'approved', approver: 'mara@northwind.example' }),
      },
    );
    expect(decided.status).toBe(200);
    expect((await call('execute', { accessRequestId })).isError).toBe(false);
    expect((await call('execute', { accessRequestId })).value.code).toBe('SERVICE_INVALID_TRANSITION');
    expect((await call('status', { accessRequestId })).value).toMatchObject({
      accessRequest: { status: 'approved', executedAt: expect.any(String) },
      write: { status: 'succeeded' },
    });
    expect(await partiesNamed('Agent Supplies GmbH')).toBe(1);
  });
});

const partiesNamed = async (name: string) => (await tryton.rpc.search('party.party', [['name', '=', name]])).length;
