import { type ApplicationScope, storeOf } from '../access/application-scope.ts';
import { asOwner, type Store } from '../access/store.ts';
import { openSecret, sealSecret } from '../keys/key-ring.ts';

/** A request to the Management API with an idempotency key. */
export interface KeyedRequest {
  readonly key: string;
  /** Hash of everything that determines what the request does. */
  readonly fingerprint: string;
}

/**
 * Whether a request is to be carried out: it is the first with its key, an earlier one returned this response, an earlier one
 * is in progress, or an earlier one with the same key did something else.
 */
export type Claim =
  | { readonly state: 'first' | 'in progress' | 'different' }
  | { readonly state: 'done'; readonly response: string };

/**
 * Claims the key of a request. Keys are kept for 24 hours per application; a request that was interrupted is taken over by
 * the next one with its key after 2 minutes. End a claim of state `first` with `saveResponse` or `releaseKey`.
 */
export async function claimRequest(scope: ApplicationScope, { key, fingerprint }: KeyedRequest): Promise<Claim> {
  const store = storeOf(scope);
  const claimed = await asOwner(
    store,
    `insert into unified.keyed_requests as r ("applicationId", key, fingerprint) values ($1, $2, $3)
     on conflict ("applicationId", key) do update
        set fingerprint = excluded.fingerprint, response = null, "createdAt" = now()
      where r."createdAt" < now() - interval '24 hours'
         or (r.response is null and r.fingerprint = excluded.fingerprint and r."createdAt" < now() - interval '2 minutes')`,
    [scope.applicationId, key, fingerprint],
  );
  if (claimed.rowCount === 1) return { state: 'first' };
  const { rows } = await asOwner<{ fingerprint: string; response: string | null }>(
    store,
    'select fingerprint, response from unified.keyed_requests where "applicationId" = $1 and key = $2',
    [scope.applicationId, key],
  );
  const [found] = rows;
  if (!found) return { state: 'in progress' };
  if (found.fingerprint !== fingerprint) return { state: 'different' };
  if (found.response === null) return { state: 'in progress' };
  return { state: 'done', response: await openSecret(store, locationOf(scope, key), found.response) };
}

/** Stores the response of a claimed request, encrypted: it may contain a token. */
export async function saveResponse(scope: ApplicationScope, { key }: KeyedRequest, response: string): Promise<void> {
  const store = storeOf(scope);
  await asOwner(store, 'update unified.keyed_requests set response = $3 where "applicationId" = $1 and key = $2', [
    ...[scope.applicationId, key, await sealSecret(store, locationOf(scope, key), response)],
  ]);
}

/** Releases the key of a claimed request that failed, so that it can be sent again. */
export async function releaseKey(scope: ApplicationScope, { key }: KeyedRequest): Promise<void> {
  await asOwner(storeOf(scope), 'delete from unified.keyed_requests where "applicationId" = $1 and key = $2', [
    ...[scope.applicationId, key],
  ]);
}

/** Deletes requests whose keys have expired, with the encrypted copies of their responses. */
export async function forgetExpiredRequests(store: Store): Promise<void> {
  await asOwner(store, `delete from unified.keyed_requests where "createdAt" < now() - interval '25 hours'`, []);
}

function locationOf({ applicationId }: ApplicationScope, key: string) {
  return { table: 'keyed_requests', column: 'response', row: `${applicationId} ${key}` } as const;
}
