import { parseTimestamp } from '../query/timestamp.ts';
import { requestError } from '../request-error.ts';

/** A time parameter of the query in UTC; the database accepts fewer formats. Throws SERVICE_INVALID_PARAMETER. */
export function timeOf(name: string, text: string | undefined): string | undefined {
  const time = text === undefined ? undefined : parseTimestamp(text);
  if (text === undefined || time !== undefined) return time;
  throw requestError('SERVICE_INVALID_PARAMETER', `query/${name}`, 'Send a date-time that exists.');
}
