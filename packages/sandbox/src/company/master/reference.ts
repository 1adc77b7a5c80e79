import { countries } from '../../data/countries.ts';
import { currencies } from '../../data/currencies.ts';
import { languages } from '../../data/languages.ts';
import { remark } from '../../data/remarks.ts';
import { statuses } from '../../data/statuses.ts';
import { shortLists } from '../../data/taxonomies.ts';
import { units } from '../../data/units.ts';
import type { SeedRow, SeedTable } from '../../row.ts';
import { daysAgo } from '../../time.ts';

const since = { angelegt: '19980401', changed_at: daysAgo(900).toISOString() };
const flag = (value: boolean) => (value ? 'J' : 'N');

/** Tables of the whole world: currencies, countries, languages, units. */
export function referenceTables(): SeedTable[] {
  return [
    { table: 'waehrung', rows: currencies.map(currencyRow) },
    { table: 'land', rows: countries.map(countryRow) },
    { table: 'sprache', rows: languages.map(languageRow) },
    { table: 'einheit', rows: units.map(unitRow) },
    { table: 'schluessel', rows: shortLists.flatMap(listRows) },
    { table: 'status_def', rows: statuses.map(statusRow) },
  ];
}

function currencyRow([wkz, bez, symbol, nachkomma]: (typeof currencies)[number], index: number): SeedRow {
  return {
    wnr: index + 1,
    wkz,
    iso: wkz,
    bez,
    beschr: remark('waehrung', wkz),
    symbol,
    nachkomma,
    basis: flag(wkz === 'EUR'),
    aktiv: 'J',
    ...since,
  };
}

function countryRow(country: (typeof countries)[number], index: number): SeedRow {
  const [lkz, iso3, isonum, bez, vorwahl, waehr, region] = country;
  return {
    landnr: index + 1,
    lkz,
    iso2: lkz,
    iso3,
    isonum,
    bez,
    beschr: remark('land', lkz),
    vorwahl,
    waehr,
    region,
    aktiv: 'J',
    ...since,
  };
}

function languageRow(language: (typeof languages)[number]): SeedRow {
  const [spr, spr2, bez, bez_eigen, locale, familie, zweig, schrift, rightToLeft, laender] = language;
  const names = { spr, spr2, bez, bez_eigen, beschr: remark('sprache', spr), locale, familie, zweig, schrift };
  return { ...names, rechts_links: flag(rightToLeft), laender, aktiv: 'J', ...since };
}

function unitRow(
  [eh, bez, zeichen, groesse, basis_eh, zaehler, versatz, nachkomma]: (typeof units)[number],
  index: number,
): SeedRow {
  return {
    ehnr: index + 1,
    eh,
    bez,
    beschr: remark('einheit', eh),
    zeichen,
    groesse,
    basis_eh,
    zaehler,
    versatz,
    nachkomma,
    aktiv: 'J',
    ...since,
  };
}

function listRows({ key, use, entries }: (typeof shortLists)[number], list: number): SeedRow[] {
  return entries.map(([wert, bez, ueber = null], index) => ({
    schlnr: (list + 1) * 100 + index + 1,
    art: key,
    wert,
    bez,
    beschr: remark('schluessel', wert),
    ueber,
    pfad: ueber === null ? wert : `${ueber}/${wert}`,
    stufe: ueber === null ? 1 : 2,
    verwendung: use,
    sort: (index + 1) * 10,
    gesperrt: ' ',
    ...since,
  }));
}

function statusRow([bereich, status, bez, gruppe, first, last]: (typeof statuses)[number], index: number): SeedRow {
  return {
    bereich,
    status,
    bez,
    beschr: remark('status_def', `${bereich}/${status}`),
    gruppe,
    sort: (index + 1) * 10,
    anfang: flag(first),
    ende: flag(last),
    ...since,
  };
}
