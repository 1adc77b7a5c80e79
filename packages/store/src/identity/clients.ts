import pg from 'pg';
import { v7 as newId } from 'uuid';
import { type ApplicationScope, storeOf } from '../access/application-scope.ts';
import { asOwner, type Store } from '../access/store.ts';
import { isUuid } from '../sql/parameter.ts';

/** An OAuth client of an application. */
export interface OAuthClient {
  readonly id: string;
  readonly name: string;
  /** Null until it is set, for the first client of an application. */
  readonly email: string | null;
  readonly logoUrl: string | null;
  readonly darkLogoUrl: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** The fields of a client that can be set. Absent ones stay unchanged. */
export interface ClientFields {
  readonly name?: string | undefined;
  readonly email?: string | undefined;
  readonly logoUrl?: string | null | undefined;
  readonly darkLogoUrl?: string | null | undefined;
}

export interface ClientQuery {
  /** Only the client with this email address, ignoring case. */
  readonly email?: string | undefined;
  /** Only clients after this id. */
  readonly after?: string | undefined;
  readonly limit: number;
}

/** Thrown when another client of the application has this email address. Determined by the database. */
export class ClientEmailTaken extends Error {
  override readonly name = 'ClientEmailTaken';
}

const COLUMNS = 'id, name, email, "logoUrl", "darkLogoUrl", "createdAt", "updatedAt"';

/** Registers a client without a secret. Throws `ClientEmailTaken`. */
export async function registerClient(
  scope: ApplicationScope,
  given: ClientFields & { readonly name: string; readonly email: string },
): Promise<OAuthClient> {
  const { rows } = await asOwner<OAuthClient>(
    storeOf(scope),
    `insert into unified.clients (id, "applicationId", name, email, "logoUrl", "darkLogoUrl")
     values ($1, $2, $3, $4, $5, $6) returning ${COLUMNS}`,
    [newId(), scope.applicationId, given.name, given.email, given.logoUrl ?? null, given.darkLogoUrl ?? null],
  ).catch(rethrowTaken);
  const [made] = rows;
  if (!made) throw new Error('The client was not registered.');
  return made;
}

/** Clients of the application, oldest first. */
export async function listClients(scope: ApplicationScope, query: ClientQuery): Promise<OAuthClient[]> {
  const { rows } = await asOwner<OAuthClient>(
    storeOf(scope),
    `select ${COLUMNS} from unified.clients
      where "applicationId" = $1 and ($2::text is null or lower(email) = lower($2)) and ($3::uuid is null or id > $3)
      order by id limit $4`,
    [scope.applicationId, query.email ?? null, query.after ?? null, query.limit],
  );
  return rows;
}

/** One client, or null when the application has no such client. */
export async function clientById(scope: ApplicationScope, id: string): Promise<OAuthClient | null> {
  const { rows } = await asOwner<OAuthClient>(
    storeOf(scope),
    `select ${COLUMNS} from unified.clients where "applicationId" = $1 and id = $2`,
    [scope.applicationId, id],
  );
  return rows[0] ?? null;
}

/** One client, locked until the end of the transaction, with its settings. Null when the application has no such client. */
export async function lockClient(scope: ApplicationScope, id: string): Promise<OAuthClient | null> {
  const { rows } = await asOwner<OAuthClient>(
    storeOf(scope),
    `select ${COLUMNS} from unified.clients where "applicationId" = $1 and id = $2 for no key update`,
    [scope.applicationId, id],
  );
  return rows[0] ?? null;
}

/** The id of the application that a client belongs to, or null when no application has the client. */
export async function applicationOfClient(store: Store, clientId: string): Promise<string | null> {
  if (!isUuid(clientId)) return null;
  const { rows } = await asOwner<{ applicationId: string }>(
    store,
    'select "applicationId" from unified.clients where id = $1',
    [clientId],
  );
  return rows[0]?.applicationId ?? null;
}

/** Changes a client. Null when the application has no such client. Throws `ClientEmailTaken`. */
export async function updateClient(
  scope: ApplicationScope,
  id: string,
  changes: ClientFields,
): Promise<OAuthClient | null> {
  const { rows } = await asOwner<OAuthClient>(
    storeOf(scope),
    `update unified.clients
        set name = coalesce($3, name), email = coalesce($4, email),
            "logoUrl" = case when $5 then $6 else "logoUrl" end,
            "darkLogoUrl" = case when $7 then $8 else "darkLogoUrl" end, "updatedAt" = now()
      where "applicationId" = $1 and id = $2 returning ${COLUMNS}`,
    [
      ...[scope.applicationId, id, changes.name ?? null, changes.email ?? null],
      ...[changes.logoUrl !== undefined, changes.logoUrl ?? null],
      ...[changes.darkLogoUrl !== undefined, changes.darkLogoUrl ?? null],
    ],
  ).catch(rethrowTaken);
  return rows[0] ?? null;
}

const UNIQUE_VIOLATION = '23505';

function rethrowTaken(error: unknown): never {
  const isTaken = error instanceof pg.DatabaseError && error.code === UNIQUE_VIOLATION;
  throw isTaken ? new ClientEmailTaken('Another client of the application has this email address.') : error;
}
