import pg from 'pg';
import { v7 as newId } from 'uuid';
import { type ApplicationScope, storeOf } from '../access/application-scope.ts';
import { asOwner } from '../access/store.ts';
import { rowsOfClient } from './rows-of-client.ts';

/** An address that end users can be redirected to after they have authorized a client. */
export interface RedirectUri {
  readonly id: string;
  /** Compared as text, without normalization. */
  readonly uri: string;
  readonly createdAt: string;
}

/** Thrown when the client already has this address. Determined by the database. */
export class RedirectUriTaken extends Error {
  override readonly name = 'RedirectUriTaken';
}

const COLUMNS = 'r.id, r.uri, r."createdAt"';

/** Redirect URIs of a client, oldest first. Null when the application has no such client. */
export async function listRedirectUris(scope: ApplicationScope, clientId: string): Promise<RedirectUri[] | null> {
  return rowsOfClient(scope, clientId, { table: 'redirect_uris', columns: COLUMNS });
}

/** Adds an address. Null when the application has no such client. Throws `RedirectUriTaken`. */
export async function addRedirectUri(
  scope: ApplicationScope,
  clientId: string,
  uri: string,
): Promise<RedirectUri | null> {
  const { rows } = await asOwner<RedirectUri>(
    storeOf(scope),
    `insert into unified.redirect_uris as r (id, "clientId", uri)
     select $3, id, $4 from unified.clients where "applicationId" = $1 and id = $2 returning ${COLUMNS}`,
    [scope.applicationId, clientId, newId(), uri],
  ).catch(rethrowTaken);
  return rows[0] ?? null;
}

/** Condition that selects one address of a client; `r` is the address and `c` its client. */
const ONE = 'c.id = r."clientId" and c."applicationId" = $1 and c.id = $2 and r.id = $3';

/** One address, locked until the end of the transaction. Null when the client has no such entry. */
export async function lockRedirectUri(
  scope: ApplicationScope,
  clientId: string,
  id: string,
): Promise<RedirectUri | null> {
  const { rows } = await asOwner<RedirectUri>(
    storeOf(scope),
    `select ${COLUMNS} from unified.redirect_uris r join unified.clients c on ${ONE} for no key update of r`,
    [scope.applicationId, clientId, id],
  );
  return rows[0] ?? null;
}

/** Replaces an address. Null when the client has no such entry. Throws `RedirectUriTaken`. */
export async function replaceRedirectUri(
  scope: ApplicationScope,
  { clientId, id }: { readonly clientId: string; readonly id: string },
  uri: string,
): Promise<RedirectUri | null> {
  const { rows } = await asOwner<RedirectUri>(
    storeOf(scope),
    `update unified.redirect_uris r set uri = $4 from unified.clients c where ${ONE} returning ${COLUMNS}`,
    [scope.applicationId, clientId, id, uri],
  ).catch(rethrowTaken);
  return rows[0] ?? null;
}

/** Deletes an address and returns it. Null when the client has no such entry. */
export async function deleteRedirectUri(
  scope: ApplicationScope,
  clientId: string,
  id: string,
): Promise<RedirectUri | null> {
  const { rows } = await asOwner<RedirectUri>(
    storeOf(scope),
    `delete from unified.redirect_uris r using unified.clients c where ${ONE} returning ${COLUMNS}`,
    [scope.applicationId, clientId, id],
  );
  return rows[0] ?? null;
}

const UNIQUE_VIOLATION = '23505';

function rethrowTaken(error: unknown): never {
  const isTaken = error instanceof pg.DatabaseError && error.code === UNIQUE_VIOLATION;
  throw isTaken ? new RedirectUriTaken('The client already has this redirect URI.') : error;
}
