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
      return [
        ...(await toolCalls(bench, server.url, { token, personal })),
        ...(await toolList(bench, server.url, personal)),
      ];
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

/** A read of the data API, and the tool that stands for it. */
interface Read {
  readonly what: string;
  readonly path: string;
  readonly tool: string;
  readonly given: object;
}

/**
 * The same records from the data API, from the operation that executes a tool, and from the tool `read` of the protocol. Calls of
 * tools are decided on, counted and logged.
 */
async function toolCalls(bench: Bench, url: string, tokens: Tokens): Promise<Result[]> {
  const page = await send({ name: 'page', url: `${url}/v4/vendors?per_page=1`, headers: bearer(tokens.token) });
  const { data } = (await page.json()) as { readonly data: readonly { readonly id: string }[] };
  const id = data[0]?.id ?? '';
  const reads: readonly Read[] = [
    { what: 'a page of 50 vendors', path: '/vendors?per_page=50', tool: 'list_vendors', given: { per_page: 50 } },
    { what: 'a vendor', path: `/vendors/${id}`, tool: 'get_vendor', given: { id } },
  ];
  const results: Result[] = [];
  for (const read of reads) results.push(...(await toolCall(bench, url, tokens, read)));
  return results;
}

async function toolCall(bench: Bench, url: string, { token, personal }: Tokens, read: Read): Promise<Result[]> {
  const { what, path, tool, given } = read;
  const call = { platform: PLATFORM, arguments: given };
  const { rest = Number.NaN, ...ways } = await latency(
    [
      { name: 'rest', url: `${url}/v4${path}`, headers: bearer(token) },
      { name: 'by execute', url: `${url}/v4/mcp/tools/${tool}/execute`, headers: bearer(personal), json: call },
      { name: 'by read over MCP', ...message(url, personal, { name: 'read', arguments: { ...call, tool } }) },
    ],
    TIMES,
  );
  return Object.entries(ways).map(([way, ms]) => {
    bench.say(`${what}: ${rest.toFixed(2)} ms, ${way} ${ms.toFixed(2)} ms`);
    return {
      name: `${what} ${way}, against the same request of the data API`,
      value: ms / rest,
      unit: 'times',
      budget: { atMost: 1.5 },
      figures: { 'ms of the request': rest, 'ms of the call': ms },
    };
  });
}

/** Lists of tools, and the query of their address. */
const LISTS = [
  ['tools/list', ''],
  ['tools/list, first page of all tools', '?tools=all'],
] as const;

/** The tools of a user: the seven that lead to all others, and those that the user can call. */
async function toolList(bench: Bench, url: string, personal: string): Promise<Result[]> {
  const results: Result[] = [];
  for (const [what, query] of LISTS) {
    const target = { name: 'list', ...message(url, personal, undefined, query) };
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

const REVISION = '2026-07-28';
const META = {
  'io.modelcontextprotocol/protocolVersion': REVISION,
  'io.modelcontextprotocol/clientInfo': { name: 'benchmark', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** The request for a message: the call of a tool, or the list of tools. */
function message(
  url: string,
  personal: string,
  call?: { readonly name: string; readonly arguments: object },
  query = '',
) {
  const method = call ? 'tools/call' : 'tools/list';
  const headers = {
    ...{ ...bearer(personal), Accept: 'application/json, text/event-stream' },
    ...{ 'MCP-Protocol-Version': REVISION, 'Mcp-Method': method, ...(call && { 'Mcp-Name': call.name }) },
  };
  const json = { jsonrpc: '2.0', id: 1, method, params: { ...call, _meta: META } };
  return { url: `${url}/mcp${query}`, headers, json };
}

function bearer(token: string) {
  return { Authorization: `Bearer ${token}` };
}
