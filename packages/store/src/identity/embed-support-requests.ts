import { v7 as newId } from 'uuid';
import { type ApplicationScope, storeOf } from '../access/application-scope.ts';
import { asOwner } from '../access/store.ts';

/** A question of an end user to the application. */
export interface EmbedSupportRequest {
  readonly id: string;
  /** Connection that it is about; null if it is about none, or the connection was removed. */
  readonly connectionId: string | null;
  readonly subject: string;
  readonly body: string;
  readonly status: 'open' | 'answered' | 'closed';
  readonly createdAt: string;
}

/** Which questions a page contains. */
export interface EmbedSupportQuery {
  readonly status?: EmbedSupportRequest['status'] | undefined;
  readonly connectionId?: string | undefined;
  /** Only questions before this id. */
  readonly before?: string | undefined;
  readonly limit: number;
}

const COLUMNS = 'id, "connectionId", subject, body, status, "createdAt"';

/** Stores a question. Null when it names a connection that the application does not have. */
export async function createEmbedSupportRequest(
  scope: ApplicationScope,
  { connectionId, subject, body }: Pick<EmbedSupportRequest, 'subject' | 'body'> & { readonly connectionId?: string },
): Promise<EmbedSupportRequest | null> {
  const { rows } = await asOwner<EmbedSupportRequest>(
    storeOf(scope),
    `insert into unified.embed_support_requests (id, "applicationId", "connectionId", subject, body)
     select $2, $1, $3, $4, $5
      where $3::uuid is null
         or exists (select from unified.connections where id = $3 and "applicationId" = $1 and "deletedAt" is null)
     returning ${COLUMNS}`,
    [scope.applicationId, newId(), connectionId ?? null, subject, body],
  );
  return rows[0] ?? null;
}

/** Questions of the application's end users, newest first. */
export async function listEmbedSupportRequests(
  scope: ApplicationScope,
  { status, connectionId, before, limit }: EmbedSupportQuery,
): Promise<EmbedSupportRequest[]> {
  const { rows } = await asOwner<EmbedSupportRequest>(
    storeOf(scope),
    `select ${COLUMNS} from unified.embed_support_requests
      where "applicationId" = $1 and ($2::text is null or status = $2) and ($3::uuid is null or "connectionId" = $3)
        and ($4::uuid is null or id < $4)
      order by id desc limit $5`,
    [scope.applicationId, status ?? null, connectionId ?? null, before ?? null, limit],
  );
  return rows;
}

/** One question, locked until the end of the transaction. Null when the application has no such question. */
export async function lockEmbedSupportRequest(
  scope: ApplicationScope,
  id: string,
): Promise<EmbedSupportRequest | null> {
  const { rows } = await asOwner<EmbedSupportRequest>(
    storeOf(scope),
    `select ${COLUMNS} from unified.embed_support_requests where "applicationId" = $1 and id = $2 for no key update`,
    [scope.applicationId, id],
  );
  return rows[0] ?? null;
}

/** Sets the status of a question. Null when the application has no such question. */
export async function setEmbedSupportStatus(
  scope: ApplicationScope,
  id: string,
  status: EmbedSupportRequest['status'],
): Promise<EmbedSupportRequest | null> {
  const { rows } = await asOwner<EmbedSupportRequest>(
    storeOf(scope),
    `update unified.embed_support_requests set status = $3 where "applicationId" = $1 and id = $2 returning ${COLUMNS}`,
    [scope.applicationId, id, status],
  );
  return rows[0] ?? null;
}
