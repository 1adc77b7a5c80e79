import type { QueryRows } from '@unified/store';

/** The result as JSON in the form that the document describes. */
export function queryJson({ columns, rows }: QueryRows, nextCursor: string | null): string {
  const values = rows.map((row) => `[${row.join(',')}]`);
  return `{"data":{"columns":${JSON.stringify(columns)},"rows":[${values.join(',')}],"nextCursor":${JSON.stringify(nextCursor)}}}`;
}

/** A JSON object per row, with the names of the columns. */
export async function* queryLines({ columns, rows }: QueryRows): AsyncGenerator<Uint8Array, void> {
  const names = columns.map(({ name }) => JSON.stringify(name));
  const lines = rows.map((row) => `{${row.map((value, at) => `${names[at]}:${value}`).join(',')}}\n`);
  yield Buffer.from(lines.join(''));
}

/** RFC 4180, with the names of the columns in the first line. */
export function queryCsv({ columns, rows }: QueryRows): string {
  const head = columns.map(({ name }) => csvText(name));
  return [head, ...rows.map((row) => row.map(csvValue))].map((line) => `${line.join(',')}\r\n`).join('');
}

/** Null is an empty value; lists are JSON. */
function csvValue(json: string): string {
  if (json === 'null') return '';
  if (json.startsWith('"')) return csvText(JSON.parse(json));
  return json.startsWith('[') ? csvText(json) : json;
}

/** A text as a value of RFC 4180. */
export function csvText(text: string): string {
  return text === '' || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
