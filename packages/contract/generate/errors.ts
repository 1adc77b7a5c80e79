import type { Document } from './openapi.ts';

/** What the document contains about an error code. */
export interface ErrorRow {
  readonly status: number;
  readonly retryable: boolean;
  readonly when: string;
  readonly do: string;
}

/** The table of error codes, in the order of the document. Throws when the codes and the table differ. */
export function findErrors(document: Document): Readonly<Record<string, ErrorRow>> {
  const schema = document.components.schemas?.ErrorCode;
  const table = (schema?.['x-errors'] ?? {}) as Record<string, ErrorRow>;
  const codes = (schema?.enum ?? []).map(String);
  const odd = [...codes.filter((code) => !table[code]), ...Object.keys(table).filter((code) => !codes.includes(code))];
  if (odd.length > 0) throw new Error(`ErrorCode: enum and x-errors disagree about ${odd.join(', ')}.`);
  for (const [code, row] of Object.entries(table)) refuseIncomplete(code, row);
  return Object.fromEntries(
    Object.entries(table).map(([code, { status, retryable, when, do: remedy }]) => [
      code,
      { status, retryable, when, do: remedy },
    ]),
  );
}

function refuseIncomplete(code: string, { status, retryable, when, do: advice }: ErrorRow): void {
  const complete = Number.isInteger(status) && typeof retryable === 'boolean' && when && advice;
  if (!complete) throw new Error(`ErrorCode: ${code} needs status, retryable, when and do.`);
}
