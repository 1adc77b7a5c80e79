interface ErrorRow {
  readonly status: number;
  readonly retryable: boolean;
  readonly when: string;
  readonly do: string;
}

const PLACE = '<!-- error table -->';

/** The description with the table of error codes in its place. Throws when the description has no place for it. */
export function withErrorTable(description: string, table: Readonly<Record<string, ErrorRow>>): string {
  if (!description.includes(PLACE)) throw new Error(`info.description has no ${PLACE}.`);
  const rows = Object.entries(table).map(
    ([code, row]) => `| \`${code}\` | ${row.status} | ${row.retryable ? 'yes' : 'no'} | ${row.when} | ${row.do} |`,
  );
  const head = ['| Code | Status | Retry | When | What to do |', '|---|---|---|---|---|'];
  return description.replace(PLACE, [...head, ...rows].join('\n'));
}
