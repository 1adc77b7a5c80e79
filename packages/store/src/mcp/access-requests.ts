import { v7 as newId } from 'uuid';
import { asOwner, inOwnerTransaction, type Store } from '../access/store.ts';
import { storeWithin } from '../access/transaction.ts';
import { isUuid } from '../sql/parameter.ts';
import { emitEvent } from '../webhooks/emit-event.ts';
import { type EndCustomerScope, storeOfCustomer } from './end-customer-scope.ts';

/** What a call would do. */
export interface Proposal {
  readonly arguments: Readonly<Record<string, unknown>>;
  /** The record before the call; null if the call creates it. */
  readonly before: Readonly<Record<string, unknown>> | null;
  /** The fields that the call sets. */
  readonly after: Readonly<Record<string, unknown>> | null;
  /** The write record of the dry run; null if the tool has none. */
  readonly plan: Readonly<Record<string, unknown>> | null;
}

export type AccessStatus = 'pending' | 'approved' | 'denied';

/** A request of a user for a denied tool, or a call that waits for a decision. */
export interface AccessRequest {
  readonly id: string;
  readonly userId: string;
  readonly platform: string;
  readonly tool: string;
  readonly reason: string | null;
  readonly status: AccessStatus;
  /** Null if the request is for the tool itself. */
  readonly proposal: Proposal | null;
  /** People who have approved it. */
  readonly approvals: string[];
  readonly requiredApprovals: number;
  readonly note: string | null;
  readonly createdAt: string;
  readonly decidedAt: string | null;
  /** The time after which a call can no longer be executed. */
  readonly expiresAt: string | null;
  readonly executedAt: string | null;
  readonly writeId: string | null;
}

/** A call as it is executed. */
export interface ProposedCall extends AccessRequest {
  readonly proposal: Proposal;
  /** The connection that the call was prepared for; null: it is for a server of a third party. */
  readonly connectionId: string | null;
  /** Hash of the record that the call was prepared for, or of the tool of a third party; null: it creates a record. */
  readonly expected: string | null;
}

const NAMES = [
  ...['id', 'userId', 'platform', 'tool', 'reason', 'status', 'proposal', 'approvals', 'requiredApprovals', 'note'],
  ...['createdAt', 'decidedAt', 'expiresAt', 'executedAt', 'writeId'],
];
const COLUMNS = NAMES.map((name) => `r."${name}"`).join(', ');
const OF_CUSTOMER = `from unified.access_requests r join unified.mcp_users u on u.id = r."userId"
  where u."endCustomerId" = $1`;

/** Requests of all users of an end customer, oldest first; only those after a given id and in this state. */
export async function pageOfAccessRequests(
  scope: EndCustomerScope,
  query: {
    readonly status?: AccessStatus | undefined;
    readonly after?: string | undefined;
    readonly limit: number;
  },
): Promise<AccessRequest[]> {
  const { rows } = await asOwner<AccessRequest>(
    storeOfCustomer(scope),
    `select ${COLUMNS} ${OF_CUSTOMER} and ($2::text is null or r.status = $2) and ($3::uuid is null or r.id > $3)
      order by r.id limit $4`,
    [scope.endCustomerId, query.status ?? null, query.after ?? null, query.limit],
  );
  return rows;
}

/** One request of the end customer, or of one of its users; locked until the end of a transaction with `isLocked`. */
export async function accessRequestById(
  scope: EndCustomerScope,
  id: string,
  { userId, isLocked = false }: { readonly userId?: string; readonly isLocked?: boolean } = {},
): Promise<AccessRequest | null> {
  if (!isUuid(id)) return null;
  const { rows } = await asOwner<AccessRequest>(
    storeOfCustomer(scope),
    `select ${COLUMNS} ${OF_CUSTOMER} and r.id = $2 and ($3::uuid is null or u.id = $3)
      ${isLocked ? 'for no key update of r' : ''}`,
    [scope.endCustomerId, id, userId ?? null],
  );
  return rows[0] ?? null;
}

/** Requests a tool for a user. If a request is already pending, returns that one. */
export async function requestTool(
  scope: EndCustomerScope,
  given: Pick<AccessRequest, 'userId' | 'platform' | 'tool' | 'reason'>,
): Promise<AccessRequest> {
  return announced(scope, async (store) => {
    const { rows } = await asOwner<AccessRequest & { isNew: boolean }>(
      store,
      `insert into unified.access_requests as r (id, "userId", platform, tool, reason, status)
       values ($1, $2, $3, $4, $5, 'pending')
       on conflict ("userId", platform, tool) where status = 'pending' and proposal is null
         do update set reason = coalesce(excluded.reason, r.reason)
       returning ${COLUMNS}, xmax = 0 as "isNew"`,
      [newId(), given.userId, given.platform, given.tool, given.reason],
    );
    const [made] = rows;
    if (!made) throw new Error('The request was not stored.');
    const { isNew, ...request } = made;
    return { request, isNew };
  });
}

/** Stores a request, and emits an event if the request is new and waits for a decision. */
async function announced(
  scope: EndCustomerScope,
  save: (store: Store) => Promise<{ readonly request: AccessRequest; readonly isNew: boolean }>,
): Promise<AccessRequest> {
  const { applicationId, endCustomerId } = scope;
  const store = storeOfCustomer(scope);
  return inOwnerTransaction(store, async (client) => {
    const within = storeWithin(store, client);
    const { request, isNew } = await save(within);
    const { id: requestId, userId, platform, tool, status } = request;
    if (isNew && status === 'pending') {
      await emitEvent(within, applicationId, {
        ...{ type: 'mcp.access_requested', subject: `access request ${requestId}`, connectionId: null },
        data: { endCustomerId, requestId, userId, platform, tool },
      });
    }
    return request;
  });
}

/** A call to store. */
export interface NewProposal
  extends Pick<ProposedCall, 'userId' | 'platform' | 'tool' | 'proposal' | 'connectionId' | 'expected'> {
  readonly requiredApprovals: number;
  /** Whether it needs no decision. */
  readonly isApproved: boolean;
}

/** Hours within which a call can be decided on, and hours after the decision within which it can be executed. */
const HOURS_TO_DECIDE = 72;
const HOURS_TO_EXECUTE = 24;

/** Stores a call that can be executed once it is approved. */
export async function storeProposal(scope: EndCustomerScope, given: NewProposal): Promise<AccessRequest> {
  return announced(scope, async (store) => {
    const { rows } = await asOwner<AccessRequest>(
      store,
      `insert into unified.access_requests as r
         (id, "userId", platform, tool, status, proposal, "connectionId", expected, "requiredApprovals", "decidedAt", "expiresAt")
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, case when $5 = 'approved' then now() end,
               now() + make_interval(hours => $10))
       returning ${COLUMNS}`,
      [
        ...[newId(), given.userId, given.platform, given.tool, given.isApproved ? 'approved' : 'pending'],
        ...[JSON.stringify(given.proposal), given.connectionId, given.expected, given.requiredApprovals],
        given.isApproved ? HOURS_TO_EXECUTE : HOURS_TO_DECIDE,
      ],
    );
    const [request] = rows;
    if (!request) throw new Error('The call was not stored.');
    return { request, isNew: true };
  });
}

/** Stores a decision, or an approval that is not the final one. Call it with a locked request. */
export async function saveDecision(
  scope: EndCustomerScope,
  { id, status, approvals, note }: Pick<AccessRequest, 'id' | 'status' | 'approvals' | 'note'>,
): Promise<AccessRequest> {
  const { rows } = await asOwner<AccessRequest>(
    storeOfCustomer(scope),
    `update unified.access_requests r
        set status = $2, approvals = $3, note = $4,
            "decidedAt" = case when $2 = 'pending' then null else now() end,
            "expiresAt" = case when $2 = 'approved' and proposal is not null
                            then now() + make_interval(hours => ${HOURS_TO_EXECUTE}) else "expiresAt" end
      where id = $1 and status = 'pending' returning ${COLUMNS}`,
    [id, status, approvals, note],
  );
  const [saved] = rows;
  if (!saved) throw new Error('The request was decided without its lock.');
  return saved;
}

/**
 * Starts the execution of an approved call of a user. Null if it is not approved, has expired or was already executed. An
 * execution that was interrupted can be started again until the call expires: the write has a key, so it is carried out only
 * once.
 */
export async function startProposed(scope: EndCustomerScope, id: string, userId: string): Promise<ProposedCall | null> {
  const { rows } = await asOwner<ProposedCall>(
    storeOfCustomer(scope),
    `update unified.access_requests r set "startedAt" = coalesce(r."startedAt", now())
       from unified.mcp_users u
      where u.id = r."userId" and u."endCustomerId" = $1 and r.id = $2 and u.id = $3 and r.status = 'approved'
        and r.proposal is not null and r."executedAt" is null and r."expiresAt" > now()
      returning ${COLUMNS}, r."connectionId", r.expected`,
    [scope.endCustomerId, id, userId],
  );
  return rows[0] ?? null;
}

/** Marks a call as executed. Returns false if it was before. */
export async function endProposed(scope: EndCustomerScope, id: string, writeId: string | null): Promise<boolean> {
  const { rowCount } = await asOwner(
    storeOfCustomer(scope),
    `update unified.access_requests r set "executedAt" = now(), "writeId" = $3
       from unified.mcp_users u
      where u.id = r."userId" and u."endCustomerId" = $1 and r.id = $2 and r."executedAt" is null`,
    [scope.endCustomerId, id, writeId],
  );
  return rowCount === 1;
}
