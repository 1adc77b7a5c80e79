import { v7 as newId } from 'uuid';
import { asOwner, type Store } from '../access/store.ts';
import { randomToken, tokenHash } from '../secrets/random-token.ts';
import { isUuid } from '../sql/parameter.ts';
import { type EndCustomerScope, storeOfCustomer } from './end-customer-scope.ts';

const PREFIX = 'set_';
const FORM = /^set_[A-Za-z0-9_-]{43}$/;

/** An address at which a person connects a platform once, without its token value. */
export interface SetupLink {
  readonly id: string;
  readonly platform: string;
  readonly expiresAt: string;
  /** When a system was connected with it. */
  readonly usedAt: string | null;
  readonly connectionId: string | null;
}

/** A link that was opened. */
export interface OpenedSetupLink {
  readonly id: string;
  readonly applicationId: string;
  readonly clientId: string;
  readonly endCustomerId: string;
  readonly platform: string;
  /** Whether it can still be used. */
  readonly isOpen: boolean;
}

const COLUMNS = 'id, platform, "expiresAt", "usedAt", "connectionId"';

/** The links of an end customer, oldest first. */
export async function listSetupLinks(scope: EndCustomerScope): Promise<SetupLink[]> {
  const { rows } = await asOwner<SetupLink>(
    storeOfCustomer(scope),
    `select ${COLUMNS} from unified.setup_links where "endCustomerId" = $1 order by id`,
    [scope.endCustomerId],
  );
  return rows;
}

/** Creates a link. Its token is returned once; only its hash is stored. */
export async function createSetupLink(
  scope: EndCustomerScope,
  { clientId, platform, hours }: { readonly clientId: string; readonly platform: string; readonly hours: number },
): Promise<SetupLink & { readonly token: string }> {
  const token = randomToken(PREFIX);
  const { rows } = await asOwner<SetupLink>(
    storeOfCustomer(scope),
    `insert into unified.setup_links (id, "endCustomerId", "clientId", platform, hash, "expiresAt")
     values ($1, $2, $3, $4, $5, now() + make_interval(hours => $6)) returning ${COLUMNS}`,
    [newId(), scope.endCustomerId, clientId, platform, tokenHash(token), hours],
  );
  const [made] = rows;
  if (!made) throw new Error('The setup link was not created.');
  return { ...made, token };
}

/** Revokes a link and returns it as it was. Null when the end customer does not have it. */
export async function revokeSetupLink(scope: EndCustomerScope, id: string): Promise<SetupLink | null> {
  if (!isUuid(id)) return null;
  const { rows } = await asOwner<SetupLink>(
    storeOfCustomer(scope),
    `delete from unified.setup_links where "endCustomerId" = $1 and id = $2 returning ${COLUMNS}`,
    [scope.endCustomerId, id],
  );
  return rows[0] ?? null;
}

const OPENED = `select l.id, l."clientId", l."endCustomerId", l.platform, e."applicationId",
  l."usedAt" is null and l."expiresAt" > now() as "isOpen"
  from unified.setup_links l join unified.end_customers e on e.id = l."endCustomerId"`;

/** The link of a token, or null when there is none. */
export async function setupLinkByToken(store: Store, token: string): Promise<OpenedSetupLink | null> {
  if (!FORM.test(token)) return null;
  const { rows } = await asOwner<OpenedSetupLink>(store, `${OPENED} where l.hash = $1`, [tokenHash(token)]);
  return rows[0] ?? null;
}

/** The link with this id, or null when it was revoked. */
export async function setupLinkById(store: Store, id: string): Promise<OpenedSetupLink | null> {
  const { rows } = await asOwner<OpenedSetupLink>(store, `${OPENED} where l.id = $1`, [id]);
  return rows[0] ?? null;
}

/** Uses up a link, once: returns false when it was used or revoked before, or has expired. */
export async function useSetupLink(store: Store, id: string): Promise<boolean> {
  const { rowCount } = await asOwner(
    store,
    'update unified.setup_links set "usedAt" = now() where id = $1 and "usedAt" is null and "expiresAt" > now()',
    [id],
  );
  return rowCount === 1;
}

/** Stores the connection that was made with a link. Null if it could not be stored; the link can then be used again. */
export async function endSetupLink(store: Store, id: string, connectionId: string | null): Promise<void> {
  await asOwner(
    store,
    `update unified.setup_links set "connectionId" = $2::uuid, "usedAt" = case when $2::uuid is null then null else "usedAt" end
      where id = $1`,
    [id, connectionId],
  );
}
