import type { SqlSpelling } from '../dialect/sql-dialect.ts';

/** How long before clocks are set back the change affects a boundary. */
const BEFORE_CHANGE = `interval '3 hours'`;

const quote = (name: string) => `"${name.replaceAll('"', '""')}"`;
const localTime = (instant: string, zone: string) => `(${instant} AT TIME ZONE ${zone}::text)`;

export const spell: SqlSpelling = {
  quote,
  asText: (expression) => `${expression}::text`,
  isSame: (left, right) => `${left} IS NOT DISTINCT FROM ${right}`,
  now: () => 'now()',
  instant: (parameter) => `${parameter}::timestamptz`,
  localTime,
  instantOf: localTime,
  // If clocks are set back soon after the instant, this is earlier than the local time at the instant itself.
  earliestLocalTime(instant, zone) {
    const shown = localTime(instant, zone);
    const later = localTime(`(${instant} + ${BEFORE_CHANGE})`, zone);
    return `${shown} - greatest(interval '0', ${shown} + ${BEFORE_CHANGE} - ${later})`;
  },
  asDay: (local) => `(${local})::date`,
  textList: (expressions) => `json_build_array(${expressions.map((each) => `${each}::text`).join(', ')})`,
  compare: (order, operator, position) => `(${order.join(', ')}) ${operator} (${position.join(', ')})`,
  keyList(key, from) {
    const text = key.map((column) => `replace(replace(${column}::text, '%', '%25'), '/', '%2F')`).join(` || '/' || `);
    return `SELECT coalesce(json_agg(${text} ORDER BY ${key.join(', ')}), '[]') FROM ${from}`;
  },
  isIn: (columns, subquery) => `(${columns.join(', ')}) IN (${subquery})`,
  page: ({ columns, from, order, limit }) =>
    `SELECT ${columns} FROM ${from} ORDER BY ${order.join(', ')} LIMIT ${Math.trunc(limit)}`,
  insert(table, columns, values, returning) {
    const given = columns.length === 0 ? 'DEFAULT VALUES' : `(${columns.join(', ')}) VALUES (${values.join(', ')})`;
    return `INSERT INTO ${table} ${given} RETURNING ${returning.join(', ')}`;
  },
  update: (table, assignments, condition) => `UPDATE ${table} SET ${assignments} WHERE ${condition} RETURNING *`,
  lock: (table, condition) => `SELECT * FROM ${table} WHERE ${condition} FOR UPDATE`,
  call: (name, key, values) => `SELECT ${name}(${key}::text, ${values}::jsonb)`,
  digest: (column) => `octet_length(${column}) AS size, encode(sha256(${column}), 'hex') AS sha256`,
  bytes: (column, start, length) => `encode(substring(${column} FROM ${start + 1} FOR ${length}), 'hex')`,
};
