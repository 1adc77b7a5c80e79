import { dataPrefix, expandPath, type Operation, ServiceError } from '@unified/contract';
import type { Match } from './router.ts';

/**
 * Headers of every response of a deprecated operation, as alternating names and values (RFC 9745, RFC 8594, RFC 8288). The
 * address of its successor always belongs to the current version.
 */
export function deprecationHeaders({ operation, params = {} }: Match, root: string): readonly string[] {
  if (!operation?.deprecation) return [];
  const { since, sunset, successor } = operation.deprecation;
  return [
    ...['Deprecation', since],
    ...(sunset === undefined ? [] : ['Sunset', sunset]),
    ...(successor === undefined ? [] : ['Link', successorLink(root + dataPrefix + expandPath(successor, params))]),
  ];
}

function successorLink(address: string): string {
  return `<${address}>; rel="successor-version"`;
}

/** Whether the date in `Sunset` of a deprecated operation has passed. */
export function hasEnded({ deprecation }: Operation, now: number): boolean {
  return deprecation?.sunset !== undefined && now >= Date.parse(deprecation.sunset);
}

/** The error for an operation that has ended. */
export function gone({ deprecation }: Operation): ServiceError {
  const instead = deprecation?.successor === undefined ? '' : ` Use ${dataPrefix}${deprecation.successor}.`;
  return new ServiceError('SERVICE_GONE', `This address ended on ${deprecation?.sunset}.${instead}`);
}
