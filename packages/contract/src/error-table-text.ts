import { errorTable } from '../generated/errors.ts';

/** Placeholder for the table of error codes in the guide on errors. */
export const ERROR_TABLE_PLACE = '<!-- error table -->';

/** A text of the document as Markdown, with the table of error codes if it contains the placeholder. */
export function withErrorTable(text: string): string {
  return text.replace(ERROR_TABLE_PLACE, errorTableText);
}

function errorTableText(): string {
  const rows = Object.entries(errorTable).map(([code, { status, retryable, when, do: remedy }]) => {
    return `| \`${code}\` | ${status} | ${retryable ? 'yes' : 'no'} | ${when} | ${remedy} |`;
  });
  return ['| Code | Status | Retryable | When | What to do |', '|---|---|---|---|---|', ...rows].join('\n');
}
