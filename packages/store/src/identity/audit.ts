import { v7 as newId } from 'uuid';
import { type ApplicationScope, storeOf } from '../access/application-scope.ts';
import { asOwner } from '../access/store.ts';

/** Something that a client did, for the audit log of its application. */
export interface AuditEntry {
  /** Id of the client. */
  readonly actor: string;
  /** What it did, such as `secret.read`. */
  readonly action: string;
  /** Id of the object. */
  readonly target: string;
}

/** Records an entry. */
export async function recordAudit(scope: ApplicationScope, { actor, action, target }: AuditEntry): Promise<void> {
  await asOwner(
    storeOf(scope),
    'insert into unified.audit_entries (id, "applicationId", actor, action, target) values ($1, $2, $3, $4, $5)',
    [newId(), scope.applicationId, actor, action, target],
  );
}
