/** The same JSON with the rows of its list in reverse order; anything else is returned unchanged. */
export function withReorderedRows(body: Buffer): Buffer {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body.toString());
  } catch (error) {
    if (error instanceof SyntaxError) return body;
    throw error;
  }
  const rows = rowsIn(parsed);
  if (!rows) return body;
  rows.reverse();
  return Buffer.from(JSON.stringify(parsed));
}

/** The list of objects in a body: the body itself, one of its properties, or one of the properties of `d` in OData V2. */
function rowsIn(body: unknown): unknown[] | undefined {
  if (typeof body !== 'object' || body === null) return undefined;
  const nested = 'd' in body && typeof body.d === 'object' && body.d !== null ? Object.values(body.d) : [];
  return [body, ...Object.values(body), ...nested].find(isListOfRows);
}

function isListOfRows(value: unknown): value is unknown[] {
  return Array.isArray(value) && value.every((row) => typeof row === 'object' && row !== null && !Array.isArray(row));
}
