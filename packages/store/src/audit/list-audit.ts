import { type ApplicationScope, storeOf } from '../access/application-scope.ts';
import { asOwner } from '../access/store.ts';
import type { ActorType } from './audited.ts';

/** A recorded change, or the read of a secret. */
export interface AuditEntry {
  readonly id: string;
  readonly at: string;
  readonly actorType: ActorType;
  readonly actor: string;
  readonly action: string;
  readonly target: string;
  /** Null in entries of earlier releases. */
  readonly operation: string | null;
  readonly requestId: string | null;
  readonly address: string | null;
  readonly before: Readonly<Record<string, unknown>> | null;
  readonly after: Readonly<Record<string, unknown>> | null;
}

/** Which entries a page contains. */
export interface AuditQuery {
  readonly actor?: string | undefined;
  readonly action?: string | undefined;
  readonly target?: string | undefined;
  /** Only entries after this time, RFC 3339. */
  readonly since?: string | undefined;
  /** Only entries before this time, RFC 3339. */
  readonly until?: string | undefined;
  /** Only entries older than the one with this id. */
  readonly before?: string | undefined;
  /** Whether to include changes of operators of the console and their sessions, which concern no application. Default false. */
  readonly withOperators?: boolean | undefined;
  readonly limit: number;
}

/**
 * Entries of the application, and those that concern all applications, newest first. Entries about operators are for admins only.
 */
export async function pageOfAudit(scope: ApplicationScope, query: AuditQuery): Promise<AuditEntry[]> {
  const { actor, action, target, since, until, before, withOperators = false, limit } = query;
  const { rows } = await asOwner<AuditEntry>(
    storeOf(scope),
    // Two parts, so that each is read from the index in this order, and only up to the limit.
    `(${partOf('"applicationId" = $1')}) union all (${partOf(`"applicationId" is null and ${OF_ALL}`)}) order by id desc limit $8`,
    [
      scope.applicationId,
      ...[actor, action, target, since, until, before].map((value) => value ?? null),
      limit,
      withOperators,
    ],
  );
  return rows;
}

const OF_ALL = `($9::boolean or not (starts_with(action, 'operator.') or starts_with(action, 'console_session.')))`;

function partOf(owner: string): string {
  return `select id, at, "actorType", actor, action, target, operation, "requestId", address, before, after
    from unified.audit_entries
   where ${owner} and ($2::text is null or actor = $2) and ($3::text is null or action = $3)
     and ($4::text is null or target = $4) and ($5::timestamptz is null or at > $5)
     and ($6::timestamptz is null or at < $6) and ($7::uuid is null or id < $7)
   order by id desc limit $8`;
}
