import type { Document } from './openapi.ts';

/** What the document says of one error code. */
export interface ErrorRow {
  readonly status: number;
  readonly retryable: boolean;
  readonly when: string;
  readonly do: string;
}

/** The same, with whether no operation of this release answers with it (`x-planned`). */
export interface FoundError extends ErrorRow {
  readonly planned: boolean;
}

const CODE = /^SERVICE_/;

/**
 * The table of error codes, in the order of the document. Fails when codes and table do not name the same, and when a
 * code is planned that the table does not have.
 */
export function findErrors(document: Document): Readonly<Record<string, FoundError>> {
  const schema = document.components.schemas?.ErrorCode;
  const table = (schema?.['x-errors'] ?? {}) as Record<string, ErrorRow>;
  const codes = (schema?.enum ?? []).map(String);
  const odd = [...codes.filter((code) => !table[code]), ...Object.keys(table).filter((code) => !codes.includes(code))];
  if (odd.length > 0) throw new Error(`ErrorCode: enum and x-errors disagree about ${odd.join(', ')}.`);
  for (const [code, row] of Object.entries(table)) refuseIncomplete(code, row);
  const planned = (document['x-planned'] ?? []).filter((name) => CODE.test(name));
  const unknown = planned.filter((code) => !codes.includes(code));
  if (unknown.length > 0) throw new Error(`x-planned: there is no code ${unknown.join(', ')}.`);
  return Object.fromEntries(
    Object.entries(table).map(([code, row]) => [code, { ...row, planned: planned.includes(code) }]),
  );
}

function refuseIncomplete(code: string, { status, retryable, when, do: advice }: ErrorRow): void {
  const complete = Number.isInteger(status) && typeof retryable === 'boolean' && when && advice;
  if (!complete) throw new Error(`ErrorCode: ${code} needs status, retryable, when and do.`);
}
