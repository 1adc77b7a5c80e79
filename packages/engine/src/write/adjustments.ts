import type { Row } from '@unified/connectors';
import type { WriteWarning } from '@unified/store';
import type { HeldQueue } from './held-queue.ts';
import type { OpenWrite } from './open-write.ts';
import { targetFor } from './prepare-write.ts';
import { heldOtherwise } from './same-as-sent.ts';
import { lastSent } from './steps.ts';

/** One warning per field that the connected system did not take as it was sent: rounded, cut, or decided by itself. */
export function adjustments(
  queue: HeldQueue,
  write: OpenWrite,
  { key, row }: { readonly key: string; readonly row: Row | null },
): WriteWarning[] {
  // The body of an action is no part of the record.
  if (row === null || write.op === 'action' || write.op === 'delete') return [];
  const { mapping } = targetFor(queue, write);
  const record = mapping.read({ key, row });
  const sent = lastSent(write.steps)?.prepared.sent;
  return record && sent
    ? heldOtherwise(mapping, record, sent).map((field) => adjusted(queue.platform.name, field))
    : [];
}

function adjusted(system: string, field: string): WriteWarning {
  const message = `${system} holds another value of \`${field}\` than was sent; the record shows it.`;
  return { code: 'VALUE_ADJUSTED', field, message };
}
