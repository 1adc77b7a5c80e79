import { useLanguage } from '../texts/use-texts.ts';
import { useNow } from './use-now.ts';

const UNITS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
];

/** An instant relative to now, with the exact one as a tooltip. */
export function Time({ at }: { readonly at: string | null | undefined }) {
  const { language } = useLanguage();
  const now = useNow();
  if (!at) return <span className="quiet">–</span>;
  return (
    <time dateTime={at} title={exact(at, language)} className="numeric">
      {relative(Date.parse(at) - now, language)}
    </time>
  );
}

/** An instant to the second. */
export function exact(at: string, language: string): string {
  return new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'medium' }).format(new Date(at));
}

/** `in 5 minutes`, `2 hours ago`; `now` within a minute. */
export function relative(milliseconds: number, language: string): string {
  const format = new Intl.RelativeTimeFormat(language, { numeric: 'auto', style: 'short' });
  const seconds = milliseconds / 1000;
  const [unit, size] = UNITS.find(([, length]) => Math.abs(seconds) >= length) ?? ['second', 1];
  return unit === 'second' ? format.format(0, 'second') : format.format(Math.trunc(seconds / size), unit);
}
