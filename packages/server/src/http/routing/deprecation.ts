import { expandPath } from '@unified/contract';
import type { Match } from './router.ts';

/**
 * Headers of every response of a deprecated operation, names and values in turn (RFC 9745, RFC 8288). `root` is the
 * path under which clients find the server.
 */
export function deprecationHeaders(match: Match, root: string): readonly string[] {
  if (!match.operation?.deprecation) return [];
  const { operation, params } = match;
  const { since, successor } = match.operation.deprecation;
  if (successor === undefined) return ['Deprecation', since];
  const address = `${root}${operation.bases[0] ?? ''}${expandPath(successor, params)}`;
  return ['Deprecation', since, 'Link', `<${address}>; rel="successor-version"`];
}
