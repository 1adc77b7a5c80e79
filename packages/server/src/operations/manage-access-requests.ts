import { type Request, ServiceError } from '@unified/contract';
import { type AccessRequest, accessRequestById, pageOfAccessRequests, saveDecision } from '@unified/store';
import { requestError } from '../request-error.ts';
import type { ManagementContext } from './context.ts';
import { changeCustomer, customerOf } from './customer-of.ts';
import { idOfCursor, idPage } from './id-page.ts';
import { userOf } from './manage-mcp-users.ts';

/** Oldest first. Throws SERVICE_NOT_FOUND. */
export async function listAccessRequests({ path, query }: Request<'listAccessRequests'>, context: ManagementContext) {
  const { per_page = 50, cursor, status } = query;
  const customer = await customerOf(context, path.endCustomerId);
  const wanted = { status, after: idOfCursor(cursor), limit: per_page + 1 };
  return { status: 200, body: idPage(await pageOfAccessRequests(customer, wanted), per_page) } as const;
}

/**
 * Stores a decision. The request is locked, so only one person can decide at a time. Throws SERVICE_NOT_FOUND,
 * SERVICE_INVALID_TRANSITION for a request that was decided before or has expired, and SERVICE_INVALID_BODY for a person who
 * cannot approve.
 */
export async function decideAccessRequest({ path, body }: Request<'decideAccessRequest'>, context: ManagementContext) {
  const { decision, note = null, approver = context.clientId } = body;
  return changeCustomer(context, path.endCustomerId, async (customer, record) => {
    const before = await accessRequestById(customer, path.requestId, { isLocked: true });
    if (!before) throw new ServiceError('SERVICE_NOT_FOUND', 'The end customer has no access request with this id.');
    refuseDecided(before);
    const { email } = await userOf(customer, before.userId);
    const approvals = decision === 'denied' ? before.approvals : [...before.approvals, approver];
    if (decision === 'approved') refuseApprover(before, approver, email);
    const isLast = decision === 'denied' || approvals.length >= before.requiredApprovals;
    const status = isLast ? decision : 'pending';
    const data = await saveDecision(customer, { id: before.id, status, approvals, note });
    const action = decision === 'approved' ? 'access_request.approve' : 'access_request.deny';
    await record({ action, target: data.id, before, after: { ...data, approver } });
    return { status: 200, body: { data } } as const;
  });
}

function refuseDecided({ status, expiresAt }: AccessRequest): void {
  const isExpired = expiresAt !== null && Date.parse(expiresAt) <= Date.now();
  if (status === 'pending' && !isExpired) return;
  const state = status === 'pending' ? `expired at ${expiresAt}` : `was ${status} before`;
  throw new ServiceError('SERVICE_INVALID_TRANSITION', `The access request ${state}. Nothing was changed.`);
}

/** Four-eyes principle: no person approves their own request, or the same request twice. */
function refuseApprover({ approvals }: AccessRequest, approver: string, requester: string): void {
  const is = (other: string) => comparable(other) === comparable(approver);
  if (is(requester)) throw invalidApprover('The user who requests access cannot approve it. Another person must.');
  if (approvals.some(is))
    throw invalidApprover('This person has approved the request already. A second person must approve it as well.');
}

/** Spaces, invisible characters, case and compatibility forms do not make another person. */
function comparable(person: string): string {
  return person
    .normalize('NFKC')
    .replace(/[\p{Default_Ignorable_Code_Point}\p{Control}\s]/gu, '')
    .toLowerCase();
}

function invalidApprover(message: string): ServiceError {
  return requestError('SERVICE_INVALID_BODY', 'body/approver', message);
}
