import { dataPrefix, earlierVersion, ServiceError } from '@unified/contract';
import { suggestionOf } from '../../request-error.ts';
import { MethodNotAllowed } from '../response/error-response.ts';
import type { Router } from './router.ts';

const BASE_ONLY = `This is the base of the API. Add a path to it, such as ${dataPrefix}/vendors. The reference is at /docs.`;

/** The error for an address without an operation. `allowed` contains the methods that its path has, if any. */
export function notMatched(allowed: readonly string[], method: string, path: string, router: Router): ServiceError {
  if (allowed.length > 0) return new MethodNotAllowed(method, allowed);
  if (router.isBase(path)) return new ServiceError('SERVICE_NOT_FOUND', BASE_ONLY);
  const { advice, detail } = suggestionOf(inCurrentVersion(method, path, router) ?? router.nearest(path));
  const message = `There is nothing at this address.${advice || ' Check it against the reference.'}`;
  return new ServiceError('SERVICE_NOT_FOUND', message, advice ? { details: [detail] } : {});
}

/** The address in the current version with the same path as an address of the earlier version, if it exists. */
function inCurrentVersion(method: string, path: string, router: Router): string | undefined {
  if (!path.startsWith(`${earlierVersion.base}/`)) return undefined;
  const current = dataPrefix + path.slice(earlierVersion.base.length);
  return router.match(method, current).operation && current;
}
