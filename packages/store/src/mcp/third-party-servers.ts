import { v7 as newId } from 'uuid';
import { asOwner } from '../access/store.ts';
import { openSecret, sealSecret } from '../keys/key-ring.ts';
import { isUuid } from '../sql/parameter.ts';
import { type EndCustomerScope, storeOfCustomer } from './end-customer-scope.ts';
import { rethrowTaken } from './value-taken.ts';

/** A tool of a third party as it was read last. Its texts are foreign. */
export interface ForeignTool {
  /** Name at the third party. */
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
  readonly isReadOnly: boolean;
  readonly isDestructive: boolean;
  /** Hash of all of the above. */
  readonly hash: string;
  /** The hash that a person approved; null: none was. */
  readonly approvedHash: string | null;
  /** The hash that was shown to a person last; null: none was. */
  readonly shownHash: string | null;
}

/** A server without its headers. */
export interface ThirdPartyServer {
  readonly id: string;
  readonly name: string;
  readonly prefix: string;
  readonly url: string;
  readonly isActive: boolean;
  readonly tools: readonly ForeignTool[];
  /** Why its tools could not be read last; null if they could. */
  readonly problem: string | null;
  /** When its tools were read last, or could not be. */
  readonly readAt: string;
  readonly createdAt: string;
}

/** Servers that an end customer can have. */
export const MOST_SERVERS = 100;

const COLUMNS = 'id, name, prefix, url, "isActive", tools, problem, "readAt", "createdAt"';

/** Oldest first. */
export async function listThirdPartyServers(scope: EndCustomerScope): Promise<ThirdPartyServer[]> {
  const { rows } = await asOwner<ThirdPartyServer>(
    storeOfCustomer(scope),
    `select ${COLUMNS} from unified.third_party_servers where "endCustomerId" = $1 order by id`,
    [scope.endCustomerId],
  );
  return rows;
}

/** Null when the end customer does not have it. */
export async function thirdPartyServer(scope: EndCustomerScope, id: string): Promise<ThirdPartyServer | null> {
  return isUuid(id) ? oneBy(scope, 'id', id) : null;
}

/** The active server with this prefix; null if there is none. */
export async function thirdPartyServerByPrefix(
  scope: EndCustomerScope,
  prefix: string,
): Promise<ThirdPartyServer | null> {
  const found = await oneBy(scope, 'prefix', prefix);
  return found?.isActive ? found : null;
}

async function oneBy(
  scope: EndCustomerScope,
  column: 'id' | 'prefix',
  value: string,
): Promise<ThirdPartyServer | null> {
  const { rows } = await asOwner<ThirdPartyServer>(
    storeOfCustomer(scope),
    `select ${COLUMNS} from unified.third_party_servers where "endCustomerId" = $1 and ${column} = $2`,
    [scope.endCustomerId, value],
  );
  return rows[0] ?? null;
}

type Kept = Pick<ThirdPartyServer, 'name' | 'prefix' | 'url' | 'isActive' | 'tools' | 'problem'>;
type Headers = Readonly<Record<string, string>>;

/** Registers a server. Throws `ValueTaken`. */
export async function createThirdPartyServer(
  scope: EndCustomerScope,
  given: Kept & { readonly headers: Headers },
): Promise<ThirdPartyServer> {
  const id = newId();
  const { rows } = await asOwner<ThirdPartyServer>(
    storeOfCustomer(scope),
    `insert into unified.third_party_servers
       (id, "endCustomerId", name, prefix, url, headers, "isActive", tools, problem, "readAt")
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, date_trunc('milliseconds', now())) returning ${COLUMNS}`,
    [
      ...[id, scope.endCustomerId, given.name, given.prefix, given.url, await sealed(scope, id, given.headers)],
      ...[given.isActive, JSON.stringify(given.tools), given.problem],
    ],
  ).catch(rethrow);
  const [made] = rows;
  if (!made) throw new Error('The server was not stored.');
  return made;
}

/**
 * Replaces what is stored of a server; headers that are absent stay. Null when it was changed or deleted since. Throws
 * `ValueTaken`.
 */
export async function saveThirdPartyServer(
  scope: EndCustomerScope,
  { id, readAt }: Pick<ThirdPartyServer, 'id' | 'readAt'>,
  given: Omit<Kept, 'prefix'> & { readonly headers?: Headers | undefined },
): Promise<ThirdPartyServer | null> {
  const { rows } = await asOwner<ThirdPartyServer>(
    storeOfCustomer(scope),
    `update unified.third_party_servers
        set name = $3, url = $4, "isActive" = $5, tools = $6, problem = $7, "readAt" = date_trunc('milliseconds', now()), headers = coalesce($8, headers)
      where "endCustomerId" = $1 and id = $2 and date_trunc('milliseconds', "readAt") = $9 returning ${COLUMNS}`,
    [
      ...[scope.endCustomerId, id, given.name, given.url, given.isActive, JSON.stringify(given.tools), given.problem],
      ...[given.headers === undefined ? null : await sealed(scope, id, given.headers), readAt],
    ],
  ).catch(rethrow);
  return rows[0] ?? null;
}

/** Stores what was read of a server, unless it was changed since. */
export async function saveForeignTools(
  scope: EndCustomerScope,
  { id, readAt }: Pick<ThirdPartyServer, 'id' | 'readAt'>,
  { tools, problem }: Pick<ThirdPartyServer, 'tools' | 'problem'>,
): Promise<void> {
  await asOwner(
    storeOfCustomer(scope),
    `update unified.third_party_servers set tools = $4, problem = $5, "readAt" = date_trunc('milliseconds', now())
      where "endCustomerId" = $1 and id = $2 and date_trunc('milliseconds', "readAt") = $3`,
    [scope.endCustomerId, id, readAt, JSON.stringify(tools), problem],
  );
}

/** Stores which tools of a server were shown, unless it was changed since. */
export async function saveShownTools(
  scope: EndCustomerScope,
  { id, readAt, tools }: Pick<ThirdPartyServer, 'id' | 'readAt' | 'tools'>,
): Promise<void> {
  await asOwner(
    storeOfCustomer(scope),
    `update unified.third_party_servers set tools = $4
      where "endCustomerId" = $1 and id = $2 and date_trunc('milliseconds', "readAt") = $3`,
    [scope.endCustomerId, id, readAt, JSON.stringify(tools)],
  );
}

/** Deletes a server and returns it as it was. Null when the end customer does not have it. */
export async function deleteThirdPartyServer(scope: EndCustomerScope, id: string): Promise<ThirdPartyServer | null> {
  if (!isUuid(id)) return null;
  const { rows } = await asOwner<ThirdPartyServer>(
    storeOfCustomer(scope),
    `delete from unified.third_party_servers where "endCustomerId" = $1 and id = $2 returning ${COLUMNS}`,
    [scope.endCustomerId, id],
  );
  return rows[0] ?? null;
}

/** Where requests to a server go, and the headers that are sent there. They are secret. */
export interface AddressOfServer {
  readonly url: string;
  readonly headers: Headers;
}

/** Address and headers as they were stored together. Null when the end customer does not have the server. */
export async function addressOfServer(scope: EndCustomerScope, id: string): Promise<AddressOfServer | null> {
  const store = storeOfCustomer(scope);
  const { rows } = await asOwner<{ readonly url: string; readonly headers: string | null }>(
    store,
    'select url, headers from unified.third_party_servers where "endCustomerId" = $1 and id = $2',
    [scope.endCustomerId, id],
  );
  const [row] = rows;
  if (!row) return null;
  return {
    url: row.url,
    headers: row.headers === null ? {} : JSON.parse(await openSecret(store, locationOf(id), row.headers)),
  };
}

async function sealed(scope: EndCustomerScope, id: string, headers: Headers): Promise<string> {
  return sealSecret(storeOfCustomer(scope), locationOf(id), JSON.stringify(headers));
}

function locationOf(row: string) {
  return { table: 'third_party_servers', column: 'headers', row } as const;
}

const byName = rethrowTaken('third_party_servers_by_name', 'The end customer has a server with this name.');
const byPrefix = rethrowTaken('third_party_servers_by_prefix', 'The end customer has a server with this prefix.');

function rethrow(error: unknown): never {
  try {
    return byName(error);
  } catch (other) {
    return byPrefix(other);
  }
}
