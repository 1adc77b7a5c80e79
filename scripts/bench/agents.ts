import { entities } from '@unified/contract';
import {
  createEndCustomer,
  createMcpRole,
  createMcpUser,
  createPersonalAccessToken,
  endCustomerScope,
  openStore,
} from '@unified/store';
import pg from 'pg';
import type { Bench, Part, Result } from './budget.ts';
import { startServer } from './child.ts';
import { listFixture } from './list-fixture.ts';
import { latency, send } from './load.ts';

const TIMES = 200;
/** A platform that the server of the benchmark has. */
const PLATFORM = 'tryton';

/** What a user of MCP with a role that only reads gets, in a connection with 1,000 vendors. */
export const agents: Part = {
  name: 'agents',
  about: 'calls of tools against the requests that they stand for; the list of tools',
  async measure(bench) {
    const databaseUrl = await bench.databaseNamed('bench_agents');
    const { connectionId, token } = await listFixture(databaseUrl, 1000);
    const personal = await restrictedUser(databaseUrl, connectionId);
    const server = await startServer('ours.ts', { DATABASE_URL: databaseUrl, OPERATIONS: '500' });
    try {
      return [await toolCall(bench, server.url, { token, personal }), ...(await toolList(bench, server.url, personal))];
    } finally {
      await server.stop();
    }
  },
};

/** The token of a user whose role reads a platform without some fields. Uses SQL, because this only prepares the benchmark. */
async function restrictedUser(databaseUrl: string, connectionId: string): Promise<string> {
  const store = await openStore({ databaseUrl, publicUrl: 'http://localhost:4000', entities });
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const found = await client.query('select "applicationId" from unified.connections where id = $1', [connectionId]);
    const application = store.application(found.rows[0].applicationId);
    const { id } = await createEndCustomer(application, { name: 'Northwind' });
    const moved = 'update unified.connections set "endCustomerId" = $2, platform = $3 where id = $1';
    await client.query(moved, [connectionId, id, PLATFORM]);
    const customer = await endCustomerScope(application, id);
    if (!customer) throw new Error('There is no end customer.');
    const role = await createMcpRole(customer, {
      ...{ name: 'Analyst', slug: 'analyst', clientId: application.applicationId, maskedFields: ['Employee.email'] },
      platforms: [{ platform: PLATFORM, preset: 'read_only' }],
    });
    const user = await createMcpUser(customer, { email: 'analyst@northwind.example', roleId: role.id });
    return (await createPersonalAccessToken(customer, { userId: user.id })).token;
  } finally {
    await client.end();
    await store.close();
  }
}

/** Tokens of the connection, and of the user. */
interface Tokens {
  readonly token: string;
  readonly personal: string;
}

/** The same records as a page of the data API and as the result of a tool, which is decided on, counted and logged. */
async function toolCall(bench: Bench, url: string, { token, personal }: Tokens): Promise<Result> {
  const call = { platform: PLATFORM, arguments: { per_page: 50 } };
  const { rest = Number.NaN, tool = Number.NaN } = await latency(
    [
      { name: 'rest', url: `${url}/v4/vendors?per_page=50`, headers: bearer(token) },
      { name: 'tool', url: `${url}/v4/mcp/tools/list_vendors/execute`, headers: bearer(personal), json: call },
    ],
    TIMES,
  );
  bench.say(`a page of 50 vendors: ${rest.toFixed(2)} ms, by a tool ${tool.toFixed(2)} ms`);
  return {
    name: 'call of a tool against the request that it stands for',
    value: tool / rest,
    unit: 'times',
    budget: { atMost: 1.5 },
    figures: { 'ms of the request': rest, 'ms of the call': tool },
  };
}

/** Lists of tools, and the query of their address. */
const LISTS = [
  ['tools/list', ''],
  ['tools/list, first page of all tools', '?tools=all'],
] as const;

/** The tools of a user: the seven that lead to all others, and those that the user can call. */
async function toolList(bench: Bench, url: string, personal: string): Promise<Result[]> {
  const revision = '2026-07-28';
  const meta = {
    'io.modelcontextprotocol/protocolVersion': revision,
    'io.modelcontextprotocol/clientInfo': { name: 'benchmark', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const headers = {
    ...{ ...bearer(personal), Accept: 'application/json, text/event-stream' },
    ...{ 'MCP-Protocol-Version': revision, 'Mcp-Method': 'tools/list' },
  };
  const json = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta: meta } };
  const results: Result[] = [];
  for (const [what, query] of LISTS) {
    const target = { name: 'list', url: `${url}/mcp${query}`, headers, json };
    const { list: ms = Number.NaN } = await latency([target], TIMES);
    const bytes = (await (await send(target)).arrayBuffer()).byteLength;
    bench.say(`${what}: ${ms.toFixed(2)} ms, ${bytes} bytes`);
    results.push(
      { name: `${what}, restricted user`, value: ms, unit: 'ms', budget: { atMost: 30 }, figures: { bytes } },
      { name: `${what}, size`, value: bytes / 1000, unit: 'kB', budget: { atMost: 20 }, figures: { bytes } },
    );
  }
  return results;
}

function bearer(token: string) {
  return { Authorization: `Bearer ${token}` };
}
