import type { Platform } from '@unified/connectors';
import type { Scope } from '@unified/store';
import { targetFor } from '../write/prepare-write.ts';
import { checkReferences } from './check-references.ts';
import type { CheckWrite, WriteRequest } from './write-request.ts';

/** Why writes are refused before they are queued. */
export interface Refusal {
  readonly error: unknown;
}

interface Judging {
  /** What the caller has to say about the one write. */
  readonly check?: CheckWrite | undefined;
  /** Place of each body in the request, such as `items[2].`. */
  readonly within?: (index: number) => string;
}

/**
 * Why writes to one entity are refused; undefined when nothing speaks against them. Throws SERVICE_NOT_SUPPORTED where the
 * connected system cannot do it at all: that comes first, as nothing else that is wrong needs to be corrected then.
 */
export async function refusalOf(
  scope: Scope,
  platform: Platform,
  requests: readonly WriteRequest[],
  { check, within }: Judging,
): Promise<Refusal | undefined> {
  for (const { entity, op, action = null } of requests) targetFor({ platform }, { entity, op, action });
  const actions = Object.keys(platform.mappings[requests[0]?.entity ?? '']?.actions ?? {});
  const bodies = requests.map(({ input: body, ...write }) => ({ ...write, body }));
  const [checked, referred] = await Promise.allSettled([
    check?.({ actions }),
    checkReferences(scope, platform, bodies, within),
  ]);
  if (checked.status === 'rejected') return { error: checked.reason };
  return referred.status === 'rejected' ? { error: referred.reason } : undefined;
}
