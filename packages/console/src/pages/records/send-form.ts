import type { WriteRecord } from '@unified/sdk';
import type { AnyRecord } from '../../api/document-schemas.ts';
import { recordCalls, runAction } from '../../api/record-calls.ts';
import { connectionClient } from '../../api/service-clients.ts';
import type { ActionForm, WriteForm } from '../../contract/entity-facts.ts';

/** A write that a person prepares in a form. */
export type Write =
  | { readonly kind: 'create'; readonly form: WriteForm }
  | { readonly kind: 'update'; readonly form: WriteForm; readonly record: AnyRecord }
  | { readonly kind: 'action'; readonly form: ActionForm; readonly record: AnyRecord };

interface Sending {
  readonly write: Write;
  readonly body: Record<string, unknown>;
  /** Returns the steps that the write would take, and sends nothing. */
  readonly dryRun: boolean;
}

/** Sends a write and returns its record immediately, without waiting for the connected system. */
export async function sendWrite(
  connectionId: string,
  collection: string,
  { write, body, dryRun }: Sending,
): Promise<WriteRecord> {
  const calls = recordCalls(connectionClient(connectionId), collection);
  const options = dryRun ? { dryRun } : { respondAsync: true };
  if (write.kind === 'create') return calls.create(body, options);
  const { id } = write.record;
  if (write.kind === 'update') return calls.update(id, body, options);
  const { name: action, fields } = write.form;
  return runAction(calls, { action, id, body: fields.length > 0 ? body : undefined, dryRun });
}
