import { keyset } from '../dialect/keyset-condition.ts';
import type { SqlSpelling } from '../dialect/sql-dialect.ts';

const quote = (name: string) => `"${name.replaceAll('"', '""')}"`;
const asText = (expression: string) => `CAST(${expression} AS TEXT)`;

/** SQLite has no time zones, so local times are read as UTC, and times are written as the texts that are sent. */
export const spell: SqlSpelling = {
  quote,
  asText,
  isSame: (left, right) => `${left} IS ${right}`,
  now: () => `strftime('%Y-%m-%dT%H:%M:%fZ', 'now')`,
  instant: (parameter) => parameter,
  localTime: (instant) => instant,
  instantOf: (local) => local,
  earliestLocalTime: (instant) => instant,
  asDay: (local) => `date(${local})`,
  textList: (expressions) => `json_array(${expressions.map(asText).join(', ')})`,
  compare: keyset,
  keyList(key, from) {
    const texts = key.map((column) => `replace(replace(${asText(column)}, '%', '%25'), '/', '%2F')`);
    return `SELECT json_group_array(${texts.join(` || '/' || `)} ORDER BY ${key.join(', ')}) FROM ${from}`;
  },
  isIn: (columns, subquery) => `(${columns.join(', ')}) IN (${subquery})`,
  page: ({ columns, from, order, limit }) =>
    `SELECT ${columns} FROM ${from} ORDER BY ${order.join(', ')} LIMIT ${Math.trunc(limit)}`,
  insert(table, columns, values, returning) {
    const given = columns.length === 0 ? 'DEFAULT VALUES' : `(${columns.join(', ')}) VALUES (${values.join(', ')})`;
    return `INSERT INTO ${table} ${given} RETURNING ${returning.join(', ')}`;
  },
  update: (table, assignments, condition) => `UPDATE ${table} SET ${assignments} WHERE ${condition} RETURNING *`,
  // Only one transaction at a time writes.
  lock: (table, condition) => `SELECT * FROM ${table} WHERE ${condition}`,
  call: (name, key, values) => `SELECT ${name}(${key}, ${values})`,
  digest: (column) => `length(CAST(${column} AS BLOB)) AS size, NULL AS sha256`,
  bytes: (column, start, length) => `hex(substr(CAST(${column} AS BLOB), ${start + 1}, ${length}))`,
};
