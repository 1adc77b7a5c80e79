import { userInfo } from 'node:os';
import type { AuditOrigin } from '@unified/store';

/** The user who runs a command, such as `admin secret add`, for the audit log. */
export function operatorOrigin(command: string): AuditOrigin {
  return { actorType: 'operator', actor: userName(), operation: command, requestId: null, address: null };
}

/** In a container, the user may have only a number. */
function userName(): string {
  try {
    return userInfo().username;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_SYSTEM_ERROR')
      return `user ${process.getuid?.()}`;
    throw error;
  }
}
