import { errorTable } from '../generated/errors.ts';

/** Where the guide on errors has the table of error codes. */
export const ERROR_TABLE_PLACE = '<!-- error table -->';

/** A text of the document as Markdown, with the table of error codes if it has a place for it. */
export function withErrorTable(text: string): string {
  return text.replace(ERROR_TABLE_PLACE, errorTableText);
}

function errorTableText(): string {
  const rows = Object.entries(errorTable).map(([code, { status, retryable, when, do: remedy, planned }]) => {
    const situation = planned ? `Not available yet. ${when}` : when;
    return `| \`${code}\` | ${status} | ${retryable ? 'yes' : 'no'} | ${situation} | ${remedy} |`;
  });
  return ['| Code | Status | Retryable | When | What to do |', '|---|---|---|---|---|', ...rows].join('\n');
}
