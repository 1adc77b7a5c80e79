interface ErrorRow {
  readonly status: number;
  readonly retryable: boolean;
  readonly when: string;
  readonly do: string;
  readonly planned: boolean;
}

const PLACE = '<!-- error table -->';

/** The description with the table of error codes at its marker. Throws if the description has no marker. */
export function withErrorTable(description: string, table: Readonly<Record<string, ErrorRow>>): string {
  if (!description.includes(PLACE)) throw new Error(`info.description has no ${PLACE}.`);
  const rows = Object.entries(table).map(([code, { status, retryable, when, do: remedy, planned }]) => {
    const about = [status, ...(retryable ? ['retryable'] : []), ...(planned ? ['not in this release'] : [])];
    return `| \`${code}\`<br>${about.join(', ')} | ${when} *${remedy}* |`;
  });
  const head = ['| Code and status | When, *and what to do* |', '|---|---|'];
  return description.replace(PLACE, [...head, ...rows].join('\n'));
}
