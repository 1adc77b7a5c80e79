import { LACKS_PART } from '../relation.ts';
import { numberOf } from './failure-number.ts';

const LOGIN = 'The connected system refuses the login of the connection';
const BUSY = 'Another user or process is changing the same data';
const UNAVAILABLE = 'The connected system is not available';
const REFUSED = 'The user of the connection is not allowed to do this in the connected system';
const FORM = 'The connected system cannot store a value in this form';
const RULE = 'A rule of the connected system does not allow a value';

/** The meaning of what the server reports, by number. The texts contain no names from the connected database. */
const meanings: ReadonlyMap<number, string> = new Map([
  ...same(LOGIN, [1045, 1130, 1251, 1698, 1820, 1862]),
  ...same('The connected system does not have the database of the connection', [1044, 1046, 1049]),
  ...same(REFUSED, [1142, 1143, 1227, 1370]),
  ...same('The connection is read-only', [1290, 1792, 1836]),
  ...same('The connected system requires a value that is missing', [1048, 1364]),
  ...same('The connected system has a record with the same value', [1062, 1586]),
  ...same('The connected system has no record that this one refers to', [1216, 1452]),
  ...same('Other records of the connected system refer to this one', [1217, 1451]),
  ...same(RULE, [3819, 4025]),
  ...same('A value is too long for the connected system', [1406]),
  ...same('A number is out of the range of the connected system', [1264, 1690]),
  ...same(FORM, [1265, 1292, 1366, 1367, 1411]),
  ...same(LACKS_PART, [1051, 1054, 1109, 1146, 1305, 1356]),
  ...same(BUSY, [1020, 1205, 1213, 1412, 3572]),
  ...same('The connected system took too long', [1317, 1969, 3024]),
  ...same(UNAVAILABLE, [1021, 1040, 1053, 1077, 1079, 1129, 1203, 1226, 1927, 3169]),
]);

/** A SIGNAL in a trigger or procedure, whose message was written for users. */
const SIGNAL = 1644;

/**
 * The message of a failed statement for clients of the API. The message from the server may name tables, columns, logins and
 * addresses, and is only for those who operate the connection. The message of a SIGNAL is unchanged.
 */
export function clientWordsOf(cause: unknown): string {
  const number = numberOf(cause);
  if (number === 0) return 'The connected system cannot be reached';
  if (number === SIGNAL && cause instanceof Error) return cause.message;
  return meanings.get(number) ?? 'The connected system refuses the request';
}

function same(words: string, numbers: readonly number[]): [number, string][] {
  return numbers.map((number) => [number, words]);
}
