const DATE = /^\/Date\((-?\d{1,16})(?:([+-])(\d{1,4}))?\)\/$/;
const TIME = /^PT(?:(\d{1,2})H)?(?:(\d{1,2})M)?(?:(\d{1,2})(\.\d+)?S)?$/;

/**
 * The timestamp in a V2 `/Date(ms)/`: milliseconds since 1970 in UTC, negative before 1970. An offset in minutes
 * (`/Date(ms+0060)/`) is kept: the timestamp is the same instant, as the system shows it. Undefined for other texts and years
 * that RFC 3339 does not have.
 */
export function timestampOf(text: string): string | undefined {
  const [, digits, sign, minutes] = DATE.exec(text) ?? [];
  if (digits === undefined) return undefined;
  const offset = (sign === '-' ? -1 : 1) * Number(minutes ?? 0);
  const shown = new Date(Number(digits) + offset * 60_000);
  if (Number.isNaN(shown.getTime()) || shown.getUTCFullYear() < 1 || shown.getUTCFullYear() > 9999) return undefined;
  const iso = shown.toISOString();
  if (offset === 0) return iso;
  const two = (value: number) => String(value).padStart(2, '0');
  const size = Math.abs(offset);
  return `${iso.slice(0, -1)}${offset < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`;
}

/** The time of day in a V2 duration: "14:05:00" for "PT14H05M00S". Undefined for other texts. */
export function timeOfDay(text: string): string | undefined {
  const match = TIME.exec(text);
  if (!match || text === 'PT') return undefined;
  const [, hours = '0', minutes = '0', seconds = '0', fraction = ''] = match;
  return `${[hours, minutes, seconds].map((part) => part.padStart(2, '0')).join(':')}${fraction}`;
}

/** The V2 duration for a time of day. */
export function durationOf(time: string): string {
  const [hours = '00', minutes = '00', seconds = '00'] = time.split(':');
  return `PT${hours}H${minutes}M${seconds}S`;
}
