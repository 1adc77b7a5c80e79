import { dataPrefix, type Operation, ServiceError } from '@unified/contract';
import { LRUCache } from 'lru-cache';
import { suggestionOf } from '../../request-error.ts';
import { applicationIdOf, type Principal } from './authenticate.ts';

/** A request whose operation and sender are known. */
interface Versioned {
  readonly operation: Operation;
  readonly principal: Principal;
  /** Path of the request. */
  readonly path: string;
}

/** Rejects with SERVICE_NOT_FOUND for an operation of the earlier version if the application has not selected it. */
export type VersionCheck = (request: Versioned) => Promise<void>;

/** Maximum number of milliseconds until a change of the setting takes effect. */
const REMEMBERED_MS = 5_000;
const MOST_REMEMBERED = 10_000;

/** `versionOf` returns the version in the settings of an application. */
export function createVersionCheck(versionOf: (applicationId: string) => Promise<string>): VersionCheck {
  const selected = new LRUCache<string, string>({ max: MOST_REMEMBERED, ttl: REMEMBERED_MS, fetchMethod: versionOf });
  return async ({ operation, principal, path }) => {
    if (operation.version === undefined) return;
    if ((await selected.fetch(applicationIdOf(principal) ?? '')) !== operation.version)
      throw notSelected(operation, path);
  };
}

function notSelected({ version, bases: [base = ''] }: Operation, path: string): ServiceError {
  const { advice, detail } = suggestionOf(dataPrefix + path.slice(base.length));
  const message = `The application has not selected ${version} in its settings.${advice}`;
  return new ServiceError('SERVICE_NOT_FOUND', message, { details: [detail] });
}
