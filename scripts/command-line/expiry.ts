import { type Given, textOf } from './flags.ts';

const HOURS = { h: 1, d: 24 } as const;

/** The time given with `--expires`, RFC 3339; undefined if it does not expire. Adds a problem if it cannot be read. */
export function expiryOf(given: Given, problems: string[]): string | undefined {
  const text = textOf(given, 'expires');
  if (text === undefined) return undefined;
  const [, number, unit] = /^(\d{1,5})([hd])$/.exec(text) ?? [];
  const at = unit
    ? Date.now() + Number(number) * HOURS[unit as keyof typeof HOURS] * 3_600_000
    : /^\d{4}-\d{2}-\d{2}/.test(text)
      ? Date.parse(text)
      : Number.NaN;
  if (Number.isFinite(at) && at > Date.now()) return new Date(at).toISOString();
  problems.push(`--expires must be a time in the future, such as 90d or 2099-01-31, not "${text}".`);
  return undefined;
}
