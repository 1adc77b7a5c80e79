import { keyset } from '../dialect/keyset-condition.ts';
import type { SqlSpelling } from '../dialect/sql-dialect.ts';

/** How long before clocks are set back the change affects a boundary. */
const BEFORE_CHANGE = 'INTERVAL 3 HOUR';

const quote = (name: string) => `\`${name.replaceAll('`', '``')}\``;
const asText = (expression: string) => `CAST(${expression} AS CHAR)`;
// A server without a table of zones knows only offsets.
const zoneOf = (zone: string) =>
  `IF(${zone} REGEXP '^(Etc/)?(UTC|UCT|Universal|Zulu|Greenwich|GMT)$', '+00:00', ${zone})`;
const localTime = (instant: string, zone: string) => `CONVERT_TZ(${instant}, '+00:00', ${zoneOf(zone)})`;

export const spell: SqlSpelling = {
  quote,
  asText,
  isSame: (left, right) => `${left} <=> ${right}`,
  now: () => 'NOW(6)',
  instant: (parameter) => `CAST(REPLACE(REPLACE(${parameter}, 'T', ' '), 'Z', '') AS DATETIME(6))`,
  localTime,
  instantOf: (local, zone) => `CONVERT_TZ(${local}, ${zoneOf(zone)}, '+00:00')`,
  // If clocks are set back soon after the instant, this is earlier than the local time at the instant itself.
  earliestLocalTime(instant, zone) {
    const later = localTime(`${instant} + ${BEFORE_CHANGE}`, zone);
    return `LEAST(${localTime(instant, zone)}, ${later} - ${BEFORE_CHANGE})`;
  },
  asDay: (local) => `DATE(${local})`,
  textList: (expressions) => `JSON_ARRAY(${expressions.map(asText).join(', ')})`,
  compare: keyset,
  keyList(key, from) {
    const texts = key.map((column) => `REPLACE(REPLACE(${asText(column)}, '%', '%25'), '/', '%2F')`);
    const items = `GROUP_CONCAT(JSON_QUOTE(CONCAT_WS('/', ${texts.join(', ')})) ORDER BY ${key.join(', ')} SEPARATOR ',')`;
    return `SELECT CONCAT('[', COALESCE(${items}, ''), ']') FROM ${from}`;
  },
  isIn: (columns, subquery) => `(${columns.join(', ')}) IN (${subquery})`,
  page: ({ columns, from, order, limit }) =>
    `SELECT ${columns} FROM ${from} ORDER BY ${order.join(', ')} LIMIT ${Math.trunc(limit)}`,
  insert: (table, columns, values) => `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${values.join(', ')})`,
  generatedNumber: 'LAST_INSERT_ID()',
  update: (table, assignments, condition) => `UPDATE ${table} SET ${assignments} WHERE ${condition}`,
  lock: (table, condition) => `SELECT * FROM ${table} WHERE ${condition} FOR UPDATE`,
  call: (name, key, values) => `SELECT ${name}(${key}, ${values})`,
  digest: (column) => `OCTET_LENGTH(${column}) AS size, LOWER(SHA2(${column}, 256)) AS sha256`,
  bytes: (column, start, length) => `HEX(SUBSTRING(${column}, ${start + 1}, ${length}))`,
};
