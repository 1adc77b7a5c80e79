import type { ConnectionFailure, KnownFailures } from '@unified/store';
import type { CurrentPause } from '../drivers/quotas.ts';
import { type BrokenPlatform, brokenError, isBroken } from '../model/broken-platform.ts';
import type { ConnectionModel } from '../model/connection-model.ts';

/**
 * Whether a system can be used: `needs_reauth` if it refuses the credentials, `unreachable` if it does not respond, `failing` if
 * reading it fails for another reason.
 */
export type HealthStatus = 'ok' | 'needs_reauth' | 'unreachable' | 'failing';

/** The health of a connection, with the last error. Times are RFC 3339. */
export interface ConnectionHealth {
  readonly status: HealthStatus;
  /** Code of the error; null if there is none, or if it was stored by an earlier release. */
  readonly code: string | null;
  /** Message of the connected system, if it sent one. */
  readonly message: string | null;
  readonly since: string | null;
  readonly lastSyncAt: string | null;
  /** End of the pause that the system requested; null if it requested none. */
  readonly pausedUntil: string | null;
}

const statuses: Readonly<Record<string, HealthStatus>> = {
  SERVICE_SYSTEM_UNAUTHORIZED: 'needs_reauth',
  SERVICE_SYSTEM_UNAVAILABLE: 'unreachable',
};

/** Most serious first: without access, nothing can be read, whatever else has failed. */
const ORDER: readonly HealthStatus[] = ['needs_reauth', 'unreachable', 'failing', 'ok'];

/**
 * The health of a connection: its most serious failure or, of several equally serious ones, the oldest. Failures of streams
 * that the platform no longer has do not count, nor do writes that fail for a reason other than access to the system. A
 * platform that cannot be used is a failure.
 *
 * @param pause the pause that the system requested
 */
export function healthOf(
  { lastSyncAt, failures }: KnownFailures,
  model: ConnectionModel | BrokenPlatform,
  pause: CurrentPause | undefined,
): ConnectionHealth {
  const times = { lastSyncAt, pausedUntil: pause?.until ?? null };
  if (isBroken(model)) {
    const { code, message } = brokenError(`Platform "${model.id}"`, model.problems);
    return { status: 'failing', code, message, since: null, ...times };
  }
  const streams = model.platform.streams.map(({ name }) => name);
  const [worst] = failures
    .map((failure) => ({ ...failure, status: statusOf(failure, streams) }))
    .sort((one, other) => ORDER.indexOf(one.status) - ORDER.indexOf(other.status));
  if (!worst || worst.status === 'ok') return { status: 'ok', code: null, message: null, since: null, ...times };
  const { status, code, message, since } = worst;
  return { status, code, message, since, ...times };
}

function statusOf({ stream, code }: ConnectionFailure, streams: readonly string[]): HealthStatus {
  if (stream !== null && !streams.includes(stream)) return 'ok';
  return statuses[code ?? ''] ?? (stream === null ? 'ok' : 'failing');
}
