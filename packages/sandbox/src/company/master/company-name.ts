import { customsOf } from '../../data/country-customs.ts';
import { companyStyles } from '../../data/names.ts';
import { type Trade, trades } from '../../data/trades.ts';
import type { Random } from '../../random.ts';

export interface CompanyName {
  readonly name: string;
  readonly legalName: string;
  readonly trade: Trade;
}

/**
 * A name that could be in a commercial register of the country, with a trade and a legal form; each is returned once.
 */
export function companyNames({ pick }: Random, taken: Set<string>): (country: string) => CompanyName {
  return (country) => {
    const style = companyStyles[country];
    if (!style) throw new Error(`There are no names for ${country}`);
    const trade = pick(trades);
    const word = (style.trades[trades.indexOf(trade)] ?? trade).replaceAll('-', ' ');
    let name = `${pick(style.names)} ${word}`;
    while (taken.has(name)) name = `${pick(style.names)} & ${pick(style.names)} ${word}`;
    taken.add(name);
    return { name, legalName: `${name} ${pick(customsOf(country).forms)}`, trade };
  };
}

const LETTERS: Readonly<Record<string, string>> = { ß: 'ss', æ: 'ae', ø: 'o', ł: 'l', ı: 'i' };

/** A host name of the reserved domain, from a company name. */
export function hostOf(name: string): string {
  const plain = name
    .toLowerCase()
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[ßæøłı]/g, (letter) => LETTERS[letter] ?? '')
    .replaceAll(/[^a-z0-9]+/g, '-');
  return `${plain.replaceAll(/^-|-$/g, '')}.example`;
}
