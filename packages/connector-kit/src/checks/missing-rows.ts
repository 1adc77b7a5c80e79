import { createHash } from 'node:crypto';
import { asSentence, SystemError } from '@unified/connectors';
import { type ConformanceCheck, type Finding, outcomeOf } from '../conformance-check.ts';
import { overRows } from '../surveyed-streams.ts';

/** Reading a row that does not exist is not an error. */
export const missingRows: ConformanceCheck = {
  name: 'missing-rows',
  points: 5,
  asserts: 'A row that does not exist is not found; reading it is not an error.',
  consequence: 'A record that was deleted in the system could not be recognized after a write.',
  run: overRows(async (surveys, system) => {
    const findings: Finding[] = [];
    for (const { stream, keys } of surveys) {
      const key = absentKey(keys);
      const read = await system.driver.read(stream, key).catch((error: unknown) => {
        if (!(error instanceof SystemError)) throw error;
        return error;
      });
      if (read === null) continue;
      const problem = read instanceof SystemError ? `is refused: ${asSentence(read.words)}` : 'returns a row.';
      findings.push({ place: stream.name, problem: `Reading "${key}", which no row has, ${problem}`, remedy: REMEDY });
    }
    return outcomeOf(findings, `${surveys.length} streams`);
  }),
};

const REMEDY =
  'Correct how the stream reads a single row. With REST, a `detail` with a condition on the key, such as ' +
  "`{ address: '/things?id={id}', row: data }`, reads it from a list, which is empty without it.";

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** A key of the same form that no row has. The same for the same rows, so that a recording contains it. */
function absentKey(keys: readonly string[]): string {
  const known = new Set(keys);
  let key = keys.at(-1) ?? '';
  do key = UUID.test(key) ? uuidAfter(key) : changed(key);
  while (known.has(key));
  return key;
}

function uuidAfter(key: string): string {
  const digits = createHash('sha256').update(key).digest('hex');
  return digits.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** Replaces the first number with a higher one; a key without digits becomes longer. */
function changed(key: string): string {
  return /\d/.test(key) ? key.replace(/\d+/, (digits) => String(BigInt(digits) + 100_003n)) : `${key}q`;
}
