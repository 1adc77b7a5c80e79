/**
 * Rows after a position (`>`), or not after it (`<=`), in a database that sorts rows without a value first. A comparison of
 * rows, `(a, b) > (?, ?)`, would read the whole index in MariaDB: `a >= ? AND (a > ? OR b > ?)` starts reading at the position.
 */
export function keyset(order: readonly string[], operator: '>' | '<=', position: readonly string[]): string {
  const [column = '', ...others] = order;
  const [value = '', ...rest] = position;
  if (value === 'NULL' && others.length > 0) {
    const among = keyset(others, operator, rest);
    return operator === '>' ? `(${column} IS NOT NULL OR ${among})` : `${column} IS NULL AND ${among}`;
  }
  if (others.length === 0) return `${column} ${operator} ${value}`;
  const [reached, passed] = operator === '>' ? ['>=', '>'] : ['<=', '<'];
  return `${column} ${reached} ${value} AND (${column} ${passed} ${value} OR ${keyset(others, operator, rest)})`;
}
