import { v7 as newId } from 'uuid';
import { type ApplicationScope, storeOf } from '../access/application-scope.ts';
import { asOwner } from '../access/store.ts';

/** A question to the operators of the service. */
export interface SupportRequest {
  readonly id: string;
  readonly subject: string;
  readonly body: string;
  readonly status: 'open' | 'answered' | 'closed';
  readonly createdAt: string;
  readonly updatedAt: string;
}

export interface NewSupportRequest {
  readonly subject: string;
  readonly body: string;
  /** Connection of the application that it is about. */
  readonly connectionId?: string | undefined;
  /** `X-Request-Id` of a response. */
  readonly requestId?: string | undefined;
}

const COLUMNS = 'id, subject, body, status, "createdAt", "updatedAt"';

/** Stores a question. Null when it names a connection that the application does not have. */
export async function createSupportRequest(
  scope: ApplicationScope,
  given: NewSupportRequest,
): Promise<SupportRequest | null> {
  const { rows } = await asOwner<SupportRequest>(
    storeOf(scope),
    `insert into unified.support_requests (id, "applicationId", subject, body, "connectionId", "requestId")
     select $2, $1, $3, $4, $5, $6
      where $5::uuid is null or exists (select from unified.connections where id = $5 and "applicationId" = $1)
     returning ${COLUMNS}`,
    [
      ...[scope.applicationId, newId(), given.subject, given.body],
      ...[given.connectionId ?? null, given.requestId ?? null],
    ],
  );
  return rows[0] ?? null;
}

/** Questions of the application that are older than this id, newest first. */
export async function listSupportRequests(
  scope: ApplicationScope,
  { before, limit }: { readonly before?: string | undefined; readonly limit: number },
): Promise<SupportRequest[]> {
  const { rows } = await asOwner<SupportRequest>(
    storeOf(scope),
    `select ${COLUMNS} from unified.support_requests
      where "applicationId" = $1 and ($2::uuid is null or id < $2) order by id desc limit $3`,
    [scope.applicationId, before ?? null, limit],
  );
  return rows;
}
