import type { ClientBase } from 'pg';
import { WORK_CHANNEL } from './watch-work.ts';

/** Which pending deliveries of an endpoint: all by default. */
interface Which {
  readonly subject?: string | undefined;
  readonly connectionId?: string | undefined;
}

/**
 * Makes the pending deliveries of an endpoint due now, ends its pause and notifies the workers. Otherwise, what is sent again
 * would wait behind deliveries whose next attempt is hours away. An attempt in progress notices the new time (`storeAttempts`).
 */
export async function attemptNow(
  client: ClientBase,
  endpointId: string,
  { subject, connectionId }: Which,
): Promise<void> {
  await client.query(
    `update unified.webhook_deliveries set "nextAttemptAt" = now()
      where "endpointId" = $1 and status = 'pending'
        and ($2::text is null or subject = $2) and ($3::uuid is null or "connectionId" = $3)`,
    [endpointId, subject ?? null, connectionId ?? null],
  );
  await client.query('update unified.webhook_endpoints set "pausedUntil" = null where id = $1', [endpointId]);
  await client.query(`select pg_notify('${WORK_CHANNEL}', $1)`, [endpointId]);
}

/** SQL of the condition that a delivery of an event to an endpoint is pending. */
export function isWaiting(endpointId: string, eventId: string): string {
  return `exists (
    select from unified.webhook_deliveries waiting
     where waiting."endpointId" = ${endpointId} and waiting."eventId" = ${eventId} and waiting.status = 'pending')`;
}

/**
 * SQL of the condition that an event of a replay is stored once more: it is not waiting already, or it follows one of the same
 * subject that is not, because the last event of a subject must be the last one that is sent. For rows with `isWaiting`,
 * `subject` and `n`, their order.
 */
export const IS_RESENT = 'bool_or(not "isWaiting") over (partition by subject order by n)';
