import type { CompiledMapping } from '@unified/connectors';
import type { WriteBody } from './given-references.ts';

/** The operation that queues the reversal of another write. */
export const REVERSAL = 'compensateWrite';

/**
 * Whether a mapping defines a write. A reversal sets some fields of a record, which is an update even if clients can only replace
 * the record: both are the same call.
 */
export function isAble(
  { writes, actions }: CompiledMapping,
  { operation, op, action }: Pick<WriteBody, 'operation' | 'op' | 'action'>,
): boolean {
  if (op === 'action') return Object.hasOwn(actions, action ?? '');
  return writes.has(op) || (operation === REVERSAL && op === 'update' && writes.has('replace'));
}
