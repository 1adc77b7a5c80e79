import { type Request, ServiceError } from '@unified/contract';
import {
  type AddressOfServer,
  addressOfServer,
  createThirdPartyServer,
  type EndCustomerScope,
  MOST_SERVERS,
  deleteThirdPartyServer as removeServer,
  saveShownTools,
  saveThirdPartyServer,
  listThirdPartyServers as storedServers,
  type ThirdPartyServer,
  thirdPartyServer,
} from '@unified/store';
import {
  areShown,
  asShown,
  isApproved,
  prefixedName,
  shownDescription,
  shownSchema,
} from '../mcp/catalog/third-party-tools.ts';
import { requestError } from '../request-error.ts';
import type { ManagementContext } from './context.ts';
import { changeCustomer, customerOf } from './customer-of.ts';
import { once } from './once.ts';
import { readServer } from './third-party-use.ts';

/** Oldest first. What it returns can be approved from then on. Throws SERVICE_NOT_FOUND. */
export async function listThirdPartyServers({ path }: Request<'listThirdPartyServers'>, context: ManagementContext) {
  const customer = await customerOf(context, path.endCustomerId);
  const servers = await storedServers(customer);
  for (const server of servers)
    if (!areShown(server.tools)) await saveShownTools(customer, { ...server, tools: asShown(server.tools) });
  return { status: 200, body: { meta: {}, data: servers.map(shown) } } as const;
}

/**
 * Reads the tools of a server and stores it. None of them is approved: a person has to see them first. Throws SERVICE_NOT_FOUND,
 * SERVICE_INVALID_BODY and SERVICE_ALREADY_EXISTS.
 */
export async function registerThirdPartyServer(
  request: Request<'registerThirdPartyServer'>,
  context: ManagementContext,
) {
  const { path, body } = request;
  return once(request, context, async () => {
    const { name, url, headers = {}, isActive = true } = body;
    const prefix = prefixOf(name, context);
    checkHeaders(headers);
    const customer = await customerOf(context, path.endCustomerId);
    if ((await storedServers(customer)).length >= MOST_SERVERS)
      throw requestError('SERVICE_INVALID_BODY', 'body/name', `An end customer can have ${MOST_SERVERS} servers.`);
    const found = await readServer(context, { prefix, tools: [] }, { address: { url, headers }, approves: false });
    return changeCustomer(context, path.endCustomerId, async (within, record) => {
      const server = await createThirdPartyServer(within, {
        ...{ name, prefix, url, headers, isActive, problem: found.problem, tools: asShown(found.tools) },
      });
      await record({
        action: 'third_party_server.create',
        target: server.id,
        after: audited(path, server, Object.keys(headers)),
      });
      return { data: shown(server) };
    });
  });
}

/**
 * Changes the fields that are sent, and reads the tools again. With `approveTools`, those are approved that are as the last
 * response showed them; none is at another address. A deactivation reads nothing. Throws SERVICE_NOT_FOUND, SERVICE_INVALID_BODY
 * and SERVICE_ALREADY_EXISTS.
 */
export async function updateThirdPartyServer(request: Request<'updateThirdPartyServer'>, context: ManagementContext) {
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const data = await updated(request, context);
    if (data) return { status: 200, body: { data } } as const;
  }
  throw new ServiceError('SERVICE_UNAVAILABLE', 'Another request is changing this server. Try again later.');
}

/** Attempts of an update that others precede. */
const MOST_TRIES = 3;

/** Reads the server and changes it. Null if it was changed in between, such as by the read before a call. */
async function updated({ path, body }: Request<'updateThirdPartyServer'>, context: ManagementContext) {
  const { approveTools: approves = false, headers, ...fields } = body;
  checkHeaders(headers);
  const customer = await customerOf(context, path.endCustomerId);
  const stored = await serverOf(customer, path.serverId);
  const { changedHeaders, ...address } = await addressWanted(customer, stored, body);
  const wanted = { ...stored, ...fields, tools: address.url === stored.url ? stored.tools : [] };
  // A server that does not respond must not delay its deactivation.
  const isRead = fields.isActive !== false || approves;
  const read = isRead ? await readServer(context, wanted, { address, approves }) : wanted;
  return changeCustomer(context, path.endCustomerId, async (within, record) => {
    const before = await serverOf(within, path.serverId);
    const server = await saveThirdPartyServer(within, stored, {
      ...{ ...wanted, problem: read.problem, tools: asShown(read.tools), headers },
    });
    if (!server) return null;
    await record({
      ...{ action: 'third_party_server.update', target: server.id },
      ...{ before: audited(path, before), after: audited(path, server, changedHeaders) },
    });
    return shown(server);
  });
}

/** Throws SERVICE_NOT_FOUND. */
export async function deleteThirdPartyServer({ path }: Request<'deleteThirdPartyServer'>, context: ManagementContext) {
  return changeCustomer(context, path.endCustomerId, async (customer, record) => {
    const before = await removeServer(customer, path.serverId);
    if (!before) throw noServer();
    await record({ action: 'third_party_server.delete', target: path.serverId, before: audited(path, before) });
    return { status: 204 } as const;
  });
}

/**
 * The address of a server after a change, and the names of the headers that change. Headers are secrets of their address, so they
 * are not sent to another one. Throws SERVICE_INVALID_BODY.
 */
async function addressWanted(
  customer: EndCustomerScope,
  { id }: ThirdPartyServer,
  given: Partial<AddressOfServer>,
): Promise<AddressOfServer & { readonly changedHeaders: readonly string[] }> {
  const stored = await addressOfServer(customer, id);
  if (!stored) throw noServer();
  const wanted = { ...stored, ...given };
  const isMoved = wanted.url !== stored.url && given.headers === undefined && Object.keys(stored.headers).length > 0;
  if (isMoved)
    throw requestError('SERVICE_INVALID_BODY', 'body/headers', 'The address changes. Send the headers again.');
  const names = Object.keys({ ...stored.headers, ...wanted.headers });
  const changedHeaders = names.filter((name) => stored.headers[name] !== wanted.headers[name]);
  return { url: wanted.url, headers: wanted.headers, changedHeaders };
}

async function serverOf(customer: EndCustomerScope, id: string): Promise<ThirdPartyServer> {
  const found = await thirdPartyServer(customer, id);
  if (found) return found;
  throw noServer();
}

function noServer(): ServiceError {
  return new ServiceError('SERVICE_NOT_FOUND', 'The end customer has no third-party server with this id.');
}

/** A server as the document describes it. Its texts are without what a person could not see. */
function shown(server: ThirdPartyServer) {
  const { id, name, prefix, url, isActive, problem, createdAt } = server;
  const tools = server.tools.map((tool) => ({
    ...{ name: prefixedName(server, tool.name), description: shownDescription(tool), inputSchema: shownSchema(tool) },
    ...{ isReadOnly: tool.isReadOnly, isDestructive: tool.isDestructive, isApproved: isApproved(tool) },
  }));
  return { id, name, prefix, url, isActive, tools, problem, createdAt };
}

/** What the audit log stores of a server. Of headers, these are the names of those that a change sets or removes. */
function audited(
  { endCustomerId }: { readonly endCustomerId: string },
  server: ThirdPartyServer,
  changedHeaders: readonly string[] = [],
) {
  const approved = server.tools.filter(isApproved).map(({ name, hash }) => `${name} ${hash}`);
  return { endCustomerId, ...server, approved, ...(changedHeaders.length > 0 && { changedHeaders }) };
}

const LONGEST_PREFIX = 32;

/** The words of a name in lower case, which no platform is called. Throws SERVICE_INVALID_BODY. */
function prefixOf(name: string, { platforms }: Pick<ManagementContext, 'platforms'>): string {
  const words = name.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  const prefix = words
    .join('_')
    .replace(/^[^a-z]+/, '')
    .slice(0, LONGEST_PREFIX)
    .replace(/_+$/, '');
  if (prefix !== '' && !platforms().some(({ id }) => id === prefix)) return prefix;
  const message =
    'The prefix of tools is derived from the name, so it needs letters from a to z, and cannot be a platform.';
  throw requestError('SERVICE_INVALID_BODY', 'body/name', message);
}

/** Headers that the connection determines. */
const OWN_HEADERS: ReadonlySet<string> = new Set([
  ...['host', 'connection', 'content-length', 'content-type', 'transfer-encoding', 'upgrade', 'accept'],
  ...['mcp-session-id', 'mcp-protocol-version', 'mcp-method', 'mcp-name'],
]);

/** Throws SERVICE_INVALID_BODY for a header that cannot be sent. */
function checkHeaders(headers: Readonly<Record<string, string>> = {}): void {
  for (const [name, value] of Object.entries(headers)) {
    if (isSendable(name, value)) continue;
    const message = 'This header cannot be sent. Use another name, and a value of one line.';
    throw requestError('SERVICE_INVALID_BODY', `body/headers/${name.slice(0, 80)}`, message);
  }
}

function isSendable(name: string, value: string): boolean {
  if (OWN_HEADERS.has(name.toLowerCase())) return false;
  try {
    new Headers([[name, value]]);
    return true;
  } catch {
    return false;
  }
}
