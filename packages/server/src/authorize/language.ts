import type { SettingField } from '@unified/engine';
import { de } from './catalog/de.ts';
import { type Catalog, en } from './catalog/en.ts';
import { platformTexts } from './catalog/platforms.de.ts';
import { recordNames } from './catalog/records.de.ts';
import { settingTexts } from './catalog/settings.de.ts';
import type { PageRequest } from './page-request.ts';

/** Languages of the authorization page. */
export type Language = 'en' | 'de';

export const catalogs: Readonly<Record<Language, Catalog>> = { en, de };

/** The language with this tag, such as `de-AT`; undefined if the page is not available in it. */
export function languageOf(tag: string | undefined): Language | undefined {
  const [name = ''] = (tag ?? '').toLowerCase().split('-');
  return name === 'en' || name === 'de' ? name : undefined;
}

/** The language that a browser prefers according to its header `Accept-Language`; English if the page has none of them. */
export function preferredLanguage({ headers }: Pick<PageRequest, 'headers'>): Language {
  const ranges = String(headers['accept-language'] ?? '')
    .slice(0, 500)
    .split(',')
    .map((range) => {
      const [tag = '', ...parameters] = range.trim().split(';');
      const weight = parameters.map((each) => /^\s*q=([\d.]+)\s*$/.exec(each)?.[1]).find((each) => each !== undefined);
      return { language: languageOf(tag.trim()), weight: weight === undefined ? 1 : Number(weight) };
    });
  const [best] = ranges.filter(({ language, weight }) => language && weight > 0).sort((a, b) => b.weight - a.weight);
  return best?.language ?? 'en';
}

/** The name of a kind of record, or of a group of them, by its tag in the document. */
export function recordName(language: Language, tag: string): string {
  return language === 'de' ? (recordNames[tag] ?? tag) : tag;
}

/** A platform with its name and description in a language, or in English if there is no translation. */
export function platformIn<P extends { readonly id: string; readonly description: string }>(
  language: Language,
  platform: P,
): P {
  return language === 'de' ? { ...platform, ...platformTexts[platform.id] } : platform;
}

/** A setting of a platform with its title and description in a language, or in English if there is no translation. */
export function settingIn(language: Language, platformId: string, field: SettingField): SettingField {
  return language === 'de' ? { ...field, ...settingTexts[platformId]?.[field.name] } : field;
}
