import { type Operation, type OperationId, ServiceError } from '@unified/contract';
import type { OperatorRole } from '@unified/store';

const RANK: Readonly<Record<OperatorRole, number>> = { viewer: 0, operator: 1, admin: 2 };

/** Operations that only an admin may call: they read or create credentials, or decide who has access. */
const FOR_ADMINS: ReadonlySet<string> = new Set<OperationId>([
  ...(['createClientSecret', 'getClientSecret', 'revokeClientSecret', 'registerClient', 'updateClient'] as const),
  ...(['addRedirectUri', 'replaceRedirectUri', 'deleteRedirectUri'] as const),
  'createPersonalAccessToken',
  ...(['inviteOperator', 'updateOperator', 'deleteOperator', 'createSignInLink'] as const),
]);

/** The least role that may call an operation in the console. Every operator may sign in and out, and see and end own sessions. */
export function neededRole({ id, method, surface }: Pick<Operation, 'id' | 'method' | 'surface'>): OperatorRole {
  if (FOR_ADMINS.has(id)) return 'admin';
  return method === 'get' || surface === 'console' ? 'viewer' : 'operator';
}

/** Refuses an operation that a role does not allow. Throws `SERVICE_FORBIDDEN`. */
export function checkRole(operation: Operation, role: OperatorRole): void {
  const needed = neededRole(operation);
  if (RANK[role] >= RANK[needed]) return;
  const message = `This needs the role ${needed}; yours is ${role}. Ask an admin.`;
  throw new ServiceError('SERVICE_FORBIDDEN', message);
}
