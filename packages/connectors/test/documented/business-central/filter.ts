/** One comparison of a condition, such as `vendorId eq 5d11…`. */
const COMPARISON = /(\w+) (eq|ge|gt) ('(?:[^']|'')*'|[\w:.+-]+)/g;

/** Whether an entity meets a condition made of comparisons that are joined by `and`. */
export function meets(values: Readonly<Record<string, unknown>>, condition: string): boolean {
  if (/\) or \(| or /.test(condition.replace(/'(?:[^']|'')*'/g, ''))) throw new Error(`Not supported: ${condition}`);
  return [...condition.matchAll(COMPARISON)].every(([, name = '', operator, literal = '']) => {
    const value = values[name];
    if (value === undefined) return false;
    const isTime = /T.*Z$/.test(literal);
    const text = literal.startsWith("'") ? literal.slice(1, -1).replaceAll("''", "'") : literal;
    const [left, right] = isTime
      ? [Date.parse(String(value)), Date.parse(text)]
      : typeof value === 'number'
        ? [value, Number(text)]
        : [String(value), text];
    if (operator === 'eq') return left === right;
    return operator === 'ge' ? left >= right : left > right;
  });
}
