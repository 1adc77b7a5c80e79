import type { Row } from '../driver.ts';
import { dateFormat, momentOf } from '../mapping/date-format.ts';
import { top } from '../mapping/schema-path.ts';
import { SystemError } from '../system-error.ts';
import type { ChangesOptions } from './options.ts';

/** The parameter that limits a list to rows that changed since a mark, written as the system expects it. */
export function changedSince(
  { parameter, value = '{since}', format = 'YYYY-MM-DDThh:mm:ssZ', json }: ChangesOptions,
  mark: unknown,
): Row {
  const text = value.replaceAll('{since}', timeIn(format, String(mark)));
  return { [parameter]: json ? JSON.parse(text) : text };
}

/** The time of a mark in another format. Fractions of a second are cut off, so that no change is missed. */
function timeIn(format: string, mark: string): string {
  const moment = momentOf(mark);
  if (!moment) throw new SystemError('invalid', `The mark of the last pass is not a timestamp: ${mark}`);
  const ms = Date.parse(mark);
  if (format === 'epoch-ms') return String(ms);
  if (format === 'epoch') return String(Math.floor(ms / 1000));
  return dateFormat(format, top('platform.yaml')).print(moment);
}
