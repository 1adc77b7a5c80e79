import { german } from './de/german.ts';
import { english, type Texts } from './en/english.ts';

/** The texts by language. */
export const languages = {
  en: { name: 'English', texts: english },
  de: { name: 'Deutsch', texts: german },
} as const satisfies Record<string, { name: string; texts: Texts }>;

export type LanguageCode = keyof typeof languages;

export const languageCodes = Object.keys(languages) as LanguageCode[];

/** The first preferred language that has texts; English if none has. */
export function preferredLanguage(preferred: readonly string[]): LanguageCode {
  const bases = preferred.map((each) => each.split('-')[0]);
  return languageCodes.find((code) => code === bases.find((base) => base !== undefined && base in languages)) ?? 'en';
}
