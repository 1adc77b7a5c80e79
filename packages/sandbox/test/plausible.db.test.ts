import { afterAll, beforeAll, expect, test } from 'vitest';
import { cityNamed } from '../src/company/master/places.ts';
import { areaCodeOf, type CountryCustoms, customsOf, personalTaxNumberOf } from '../src/data/country-customs.ts';
import { itemCustoms } from '../src/data/item-customs.ts';
import { itemFamilies } from '../src/data/item-families.ts';
import { type Trade, tradeOf, vendorGroups } from '../src/data/trades.ts';
import { type CompanyDatabase, startCompanyDatabase } from './company-database.ts';

let company: CompanyDatabase;
beforeAll(async () => {
  company = await startCompanyDatabase();
});
afterAll(() => company.stop());

/** Rows for which `isRight` is false, at most five, so that a failure stays readable. */
async function wrong(sql: string, isRight: (row: Record<string, string>) => boolean, least = 11): Promise<unknown[]> {
  const rows = (await company.rows(sql)) as Record<string, string>[];
  expect(rows.length).toBeGreaterThanOrEqual(least);
  return rows.filter((row) => !isRight(row)).slice(0, 5);
}

const calls = ({ callingCode }: CountryCustoms, area: string) => new RegExp(`^\\+${callingCode} ${area} \\d{4,}$`);

/** Telephone numbers with their city and country. */
test.each([
  [
    'a vendor',
    `SELECT tel, ort, lkz FROM lief l JOIN adresse a ON bezug_art = 'L' AND bezug = liefnr AND haupt = 'J' CROSS JOIN LATERAL (SELECT l.tel) t WHERE l.tel IS NOT NULL`,
  ],
  ['a customer', 'SELECT tel, re_ort AS ort, re_lkz AS lkz FROM kunde WHERE tel IS NOT NULL'],
  ['an address', 'SELECT tel, ort, lkz FROM adresse WHERE tel IS NOT NULL'],
  ['a contact', 'SELECT tel, ort, adr_land AS lkz FROM kontakt WHERE tel IS NOT NULL'],
  [
    'an employee',
    `SELECT p.tel, m.ort, m.lkz FROM personal p JOIN mandant m ON m.mand = p.mand WHERE p.tel IS NOT NULL`,
  ],
  ['a user', `SELECT b.tel, m.ort, m.lkz FROM benutzer b JOIN mandant m ON m.mand = b.mand WHERE b.tel IS NOT NULL`],
  ['a property', `SELECT adr_tel AS tel, adr_ort AS ort, adr_lkz AS lkz FROM liegenschaft WHERE adr_tel IS NOT NULL`],
])('the telephone number of %s has the prefixes of its country and city', async (_, sql) => {
  const query = sql.replace('SELECT tel, ort, lkz FROM lief', 'SELECT l.tel, ort, lkz FROM lief');
  expect(
    await wrong(query, ({ tel = '', ort = '', lkz = '' }) => calls(customsOf(lkz), areaCodeOf(ort)).test(tel)),
  ).toEqual([]);
});

test('a user has the telephone number of the employee, and each company its own switchboard', async () => {
  const users = 'SELECT b.tel, p.tel AS own FROM benutzer b JOIN personal p USING (persnr) WHERE b.tel IS NOT NULL';
  expect(await wrong(users, ({ tel, own }) => tel === own)).toEqual([]);
  const switchboards = await company.rows('SELECT mand, tel FROM mandant ORDER BY mand');
  expect(switchboards).toEqual([
    { mand: '001', tel: '+49 40 1234000' },
    { mand: '010', tel: '+49 40 1234000' },
    { mand: '020', tel: '+44 114 1234000' },
    { mand: '030', tel: '+48 32 1234000' },
  ]);
});

test('a mobile number has the prefix of its country', async () => {
  const sql = 'SELECT mobil, adr_land AS lkz FROM kontakt WHERE mobil IS NOT NULL';
  const isRight = ({ mobil = '', lkz = '' }) => calls(customsOf(lkz), customsOf(lkz).mobile).test(mobil);
  expect(await wrong(sql, isRight)).toEqual([]);
});

/** Columns of addresses: postal code, street, city, country. */
test.each([
  ['adresse', 'plz', 'zeile1', 'ort', 'lkz'],
  ['kunde', 're_plz', 're_strasse', 're_ort', 're_lkz'],
  ['kunde', 'li_plz', 'li_strasse', 'li_ort', 'li_lkz'],
  ['kontakt', 'plz', 'strasse', 'ort', 'adr_land'],
  ['personal', 'plz', 'strasse', 'ort', 'adr_land'],
  ['mandant', 'plz', 'strasse', 'ort', 'lkz'],
  ['werk', 'plz', 'strasse', 'ort', 'lkz'],
  ['liegenschaft', 'adr_plz', 'adr_zeile1', 'adr_ort', 'adr_lkz'],
  ['banf', 'la_plz', 'la_strasse', 'la_ort', 'la_lkz'],
  ['vkkopf', 're_plz', 're_strasse', 're_ort', 're_lkz'],
  ['angkopf', 'li_plz', 'li_strasse', 'li_ort', 'li_lkz'],
  ['rechkopf', 're_plz', 're_strasse', 're_ort', 're_lkz'],
])('in %s cities, postal codes and streets are those of the country', async (table, plz, street, city, country) => {
  const columns = `${plz} AS plz, ${street} AS street, ${city} AS ort, ${country} AS lkz`;
  const isRight = ({ plz = '', street = '', ort = '', lkz = '' }: Record<string, string>) => {
    const { postalCode, streets, houseNumber } = customsOf(lkz);
    const name = houseNumber === 'before' ? street.replace(/^\d+ /, '') : street.replace(/ \d+$/, '');
    const isThere = cityNamed(ort).country === lkz && cityNamed(ort).postalCodes.includes(plz);
    return isThere && postalCode.test(plz) && name !== street && streets.includes(name);
  };
  const complete = [plz, street, city, country].map((column) => `${column} IS NOT NULL`).join(' AND ');
  expect(await wrong(`SELECT ${columns} FROM ${table} WHERE ${complete}`, isRight, 3)).toEqual([]);
});

test('postal codes and streets of banks are written as in their country', async () => {
  const sql = 'SELECT adr_plz AS plz, adr_zeile1 AS street, adr_lkz AS lkz FROM bank WHERE adr_plz IS NOT NULL';
  const isRight = ({ plz = '', street = '', lkz = '' }) =>
    customsOf(lkz).postalCode.test(plz) && customsOf(lkz).streets.some((name) => street.includes(name));
  expect(await wrong(sql, isRight)).toEqual([]);
});

test('our companies and plants are at their own addresses', async () => {
  const isRight = ({ street, ort, own_street, own_city }: Record<string, string>) =>
    street === own_street && ort === own_city;
  const sql = `SELECT zeile1 AS street, a.ort, strasse AS own_street, o.ort AS own_city FROM adresse a JOIN (
    SELECT 'M' AS art, mandnr AS nr, strasse, ort FROM mandant UNION ALL SELECT 'W', werknr, strasse, ort FROM werk) o
    ON bezug_art = art AND bezug = nr`;
  expect(await wrong(sql, isRight)).toEqual([]);
});

/** Vendors, customers and our companies with the country of their main address. */
const companies = `SELECT art, name1, firma, ust_id, www, lkz FROM (SELECT 'L' AS art, liefnr AS nr, name1, firma, ust_id, www FROM lief
  UNION ALL SELECT 'K', kdnr, name1, firma, ust_id, www FROM kunde
  UNION ALL SELECT 'M', mandnr, bez, firma, ust_id, NULL FROM mandant) p JOIN adresse ON bezug_art = art AND bezug = nr AND haupt = 'J'`;

test('a legal name ends in a legal form of its country', async () => {
  const isRight = ({ art = '', name1 = '', firma = '', lkz = '' }) =>
    customsOf(lkz).forms.some((form) => (art === 'M' ? firma.endsWith(` ${form}`) : firma === `${name1} ${form}`));
  expect(await wrong(companies, isRight)).toEqual([]);
});

test('a tax number has the format of its country', async () => {
  const isRight = ({ ust_id = '', lkz = '' }) =>
    new RegExp(`^${customsOf(lkz).vat.replaceAll('#', '\\d')}$`).test(ust_id);
  expect(await wrong(`${companies} WHERE ust_id IS NOT NULL`, isRight)).toEqual([]);
});

test.each([
  ['a contact', 'kontakt'],
  ['an employee', 'personal'],
])('the tax number of %s has the form of the country', async (_, table) => {
  const sql = `SELECT steuernr, adr_land AS lkz FROM ${table} WHERE steuernr IS NOT NULL`;
  const isRight = ({ steuernr = '', lkz = '' }) =>
    new RegExp(`^${personalTaxNumberOf(lkz).replaceAll('.', '\\.').replaceAll('#', '\\d')}$`).test(steuernr);
  expect(await wrong(sql, isRight)).toEqual([]);
});

test('people live in the country in which they work', async () => {
  const sql = 'SELECT adr_land, m.lkz FROM personal p JOIN mandant m USING (mand) WHERE adr_land IS NOT NULL';
  expect(await wrong(sql, ({ adr_land, lkz }) => adr_land === lkz)).toEqual([]);
});

test('names become addresses of websites without losing their letters', async () => {
  const isRight = ({ name1 = '', www = '' }) => {
    const letters = (text: string) =>
      text
        .toLowerCase()
        .normalize('NFD')
        .replaceAll(/[^a-z]/g, '');
    const host = www.replace(/^https:\/\/(.*)\.example$/, '$1');
    return (
      /^[a-z0-9]+(-[a-z0-9]+)*$/.test(host) &&
      host.split('-').length <= name1.split(/[^\p{L}]+/u).length &&
      letters(host).length >= letters(name1).length
    );
  };
  expect(await wrong(`${companies} WHERE www IS NOT NULL`, isRight)).toEqual([]);
});

test('names of vendors, customers and items are unique', async () => {
  for (const [table, column] of ['lief name1', 'kunde name1', 'artikel bez'].map((each) => each.split(' '))) {
    expect(await company.rows(`SELECT ${column} FROM ${table} GROUP BY 1 HAVING count(*) > 1`)).toEqual([]);
  }
});

test('no text of an item or partner is a placeholder', async () => {
  const filler = /\b(form|variant|version|type|item|vendor|customer)\s+\d+$|\(\d+\)|lorem|dummy/i;
  const known = itemFamilies.flatMap(([, , , , , , sizes, versions]) => [...sizes, ...versions]);
  /**
   * Whether a text ends with a number that is not part of a size, a version (EN 388), a standard or the reference to a
   * drawing.
   */
  const isNumbered = (text: string) =>
    / \d+$/.test(text) && !/( ×|, see drawing| ISO) \d+$/.test(text) && !known.some((end) => text.endsWith(` ${end}`));
  for (const [table, column] of ['artikel bez', 'artikel beschr', 'lief name1', 'lief beschr', 'kunde name1'].map(
    (each) => each.split(' '),
  )) {
    const sql = `SELECT ${column} AS text FROM ${table} WHERE ${column} IS NOT NULL`;
    expect(await wrong(sql, ({ text = '' }) => !filler.test(text) && !isNumbered(text))).toEqual([]);
  }
});

test('items are supplied by vendors of their trade, and carriers supply no items', async () => {
  const groupsOf = (group: string) => [vendorGroups[tradeOf[group] as Trade][0], 'L-ONE'];
  const isRight = ({ item = '', vendor = '' }) => groupsOf(item).includes(vendor);
  const supplied = `SELECT a.gruppe AS item, l.gruppe AS vendor FROM artikel a JOIN lief l ON liefnr = hauptlief`;
  const options = `SELECT a.gruppe AS item, l.gruppe AS vendor FROM bezug b JOIN artikel a USING (artid) JOIN lief l USING (liefnr)`;
  const ordered = `SELECT a.gruppe AS item, l.gruppe AS vendor FROM bestpos p JOIN bestkopf k USING (bestnr) JOIN artikel a USING (artid)
    JOIN lief l USING (liefnr) WHERE l.gruppe <> 'L-TRANS' AND k.vknr IS NULL`;
  for (const sql of [supplied, options, ordered]) expect(await wrong(sql, isRight)).toEqual([]);
});

/** Open quantities of documents by item and location, and the stock column that must contain their sum. */
test.each<[string, string, string, number?]>([
  [
    'ordered from vendors is that of open purchase order lines',
    'mg_bestellt',
    `SELECT p.artid, coalesce(p.lieferplatz, k.lieferplatz) AS platznr, p.menge - mg_wareneingang AS menge
     FROM bestpos p JOIN bestkopf k USING (bestnr) WHERE k.status IN ('F', 'G', 'T') AND mg_wareneingang < p.menge`,
  ],
  [
    'reserved is that of open sales order lines',
    'mg_reserviert',
    `SELECT artid, platznr, menge - mg_versand AS menge FROM vkpos p JOIN vkkopf k USING (vknr)
     WHERE p.typ = 'A' AND k.status IN ('20', '30') AND mg_versand < menge`,
  ],
  [
    'in transit is that of transfers that were shipped and not received',
    'mg_transit',
    `SELECT artid, platz_nach AS platznr, versandt AS menge FROM lagerbeleg l, jsonb_to_recordset(positionen) AS p (artnr text, versandt numeric)
     JOIN artikel a USING (artnr) WHERE l.art = 'UM' AND l.status = 'A' AND l.versandt_am IS NOT NULL`,
    1,
  ],
  [
    'planned is that of open production orders',
    'mg_geplant',
    `SELECT artid, ziellager AS platznr, menge - gut_mg - aus_mg AS menge FROM fauf WHERE status IN ('10', '20', '30', '40')`,
  ],
])('the quantity %s', async (_, column, documents, least = 11) => {
  const isRight = ({ held, open }: Record<string, string>) => Number(held) === Number(open);
  const sql = `SELECT artid, platznr, sum(held) AS held, sum(open) AS open FROM (
      SELECT artid, platznr, ${column} AS held, 0 AS open FROM bestand WHERE ${column} <> 0
      UNION ALL SELECT artid, platznr, 0, menge FROM (${documents}) AS d JOIN artikel a USING (artid) WHERE a.kz_bestand = 'J' AND platznr IS NOT NULL) AS m
    GROUP BY artid, platznr`;
  expect(await wrong(sql, isRight, least)).toEqual([]);
});

test('the projected quantity is on hand, ordered, in transit and planned, less reserved', async () => {
  const isRight = ({ prognose, menge, more }: Record<string, string>) =>
    Number(prognose) === Number(menge) + Number(more);
  const sql = 'SELECT prognose, menge, mg_bestellt + mg_transit + mg_geplant - mg_reserviert AS more FROM bestand';
  expect(await wrong(sql, isRight)).toEqual([]);
});

/** Balances of accounts by currency, and the records of other areas that they must add up to. */
test.each([
  [
    'receivables and payables are the open items',
    `SELECT k.ktonr, o.waehr, offen_ct / 100.0 * CASE o.seite WHEN 'D' THEN 1 ELSE -1 END AS betrag FROM offener_posten o JOIN konto k ON k.kontoid = o.konto`,
    ['1210', '1220', '1610', '1620'],
  ],
  [
    'stock is the value of the stock records',
    `SELECT bestand_kto AS ktonr, b.waehr, wert AS betrag FROM bestand b JOIN artikel a USING (artid)`,
    ['1110', '1120', '1130', '1150', '1160'],
  ],
])('%s in the general ledger', async (_, records, accounts) => {
  const list = accounts.map((account) => `'${account}'`).join(', ');
  const sql = `SELECT ktonr, waehr, sum(betrag) AS difference, sum(abs(betrag)) AS size FROM (
      ${records} UNION ALL SELECT konto, waehr, -betrag FROM buchungszeile WHERE status = 'G' AND konto IN (${list})) AS m
    GROUP BY ktonr, waehr`;
  expect(await wrong(sql, ({ difference }) => Number(difference) === 0, 5)).toEqual([]);
});

test('goods received and not invoiced are the goods received for orders, less those billed, at the rate of the order', async () => {
  const rate = (day: string) => `euro_wert(k.waehr, ${day})`;
  const positions = `SELECT round(p.netto * (mg_wareneingang - mg_retour) / p.menge * ${rate('tag_aus(bestdat)')}, 2) AS received,
      round(p.netto * (SELECT coalesce(sum(r.menge), 0) FROM rechpos r JOIN rechkopf USING (rechnr)
        WHERE r.best_pos = p.bestnr || '/' || p.posnr AND rechkopf.status IN ('F', 'G', 'T', 'U', 'B')) / p.menge * ${rate('tag_aus(bestdat)')}, 2) AS billed
    FROM bestkopf k JOIN bestpos p USING (bestnr) JOIN artikel a USING (artid) WHERE a.kz_bestand = 'J'`;
  const others = `SELECT round(preis * menge * ${rate("(zeit_aus(zeit) AT TIME ZONE 'UTC')::date")}, 2) AS received, 0 AS billed
    FROM wekopf k JOIN wepos USING (wenr) WHERE best_pos IS NULL AND status = 'B'`;
  const [ledger] = await company.rows(
    `SELECT waehr, -sum(betrag) AS balance FROM buchungszeile WHERE status = 'G' AND konto = '1630' GROUP BY waehr`,
  );
  const [open] = await company.rows(
    `SELECT 'EUR' AS waehr, sum(received - billed) AS balance, max(billed) > 0 AS billed FROM (${positions} UNION ALL ${others}) AS m`,
  );
  expect(open).toEqual({ ...ledger, billed: true });
  expect(Number(open?.balance)).toBeGreaterThan(0);
});

test('every entry of the general ledger is balanced and, if it is posted, in a period', async () => {
  const sql = `SELECT belegnr, status, soll_ct, haben_ct, pernr, gebucht_am, buchdat, (SELECT sum(betrag) FROM buchungszeile z WHERE z.buchnr = b.buchnr) AS rest
    FROM buchung b`;
  const isRight = ({ status, soll_ct, haben_ct, pernr, gebucht_am, rest }: Record<string, string | null>) =>
    soll_ct === haben_ct &&
    Number(rest) === 0 &&
    (status !== 'G' || pernr !== null) &&
    (gebucht_am !== null) === (status === 'G');
  expect(await wrong(sql, isRight as (row: Record<string, string>) => boolean)).toEqual([]);
});

test('the tax of a document follows from its company and from its customer or vendor', async () => {
  const documents = `SELECT stnr, ust, betrag AS net, steuer_bestimmen(k.belegart, k.mand, k.kdnr, k.liefnr) AS own FROM rechkopf k JOIN rechpos USING (rechnr)
    UNION ALL SELECT stnr, ust, netto, steuer_bestimmen('D', k.mand, k.kdnr, NULL) FROM vkkopf k JOIN vkpos USING (vknr)
    UNION ALL SELECT stnr, ust, netto, steuer_bestimmen('K', k.mand, NULL, k.liefnr) FROM bestkopf k JOIN bestpos USING (bestnr)`;
  const sql = `SELECT stnr, own, ust, round(net * steuerprozent(stnr) / 100, 2) AS tax FROM (${documents}) AS d`;
  expect(await wrong(sql, ({ stnr, own, ust, tax }) => stnr === own && Number(ust) === Number(tax))).toEqual([]);
  const used = 'SELECT DISTINCT lkz FROM rechpos JOIN steuer USING (stnr) WHERE ust > 0';
  expect((await company.rows(used)).length).toBeGreaterThan(8);
});

test('prices in a foreign currency have the value of the item on the day of the document', async () => {
  const documents = `SELECT waehr, artid, preis, 'ek' AS art, tag_aus(bestdat) AS tag FROM bestkopf JOIN bestpos USING (bestnr)
    UNION ALL SELECT waehr, artid, preis, 'vk', tag_aus(bestdat) FROM vkkopf JOIN vkpos USING (vknr)
    UNION ALL SELECT waehr, artid, preis, 'vk', tag_aus(angdat) FROM angkopf JOIN angpos USING (angnr) WHERE art = 'V' AND vknr IS NULL
    UNION ALL SELECT waehr, artid, preis, 'ek', (zeit_aus(zeit) AT TIME ZONE 'UTC')::date FROM wekopf JOIN wepos USING (wenr) WHERE best_pos IS NULL
    UNION ALL SELECT waehr, artid, preis, 'vk', tag_aus(rechdat) FROM rechkopf JOIN rechpos USING (rechnr) WHERE belegart = 'D' AND vk_pos IS NULL AND zeichen IS NULL`;
  const sql = `SELECT d.waehr, d.preis, preis_in(d.waehr, CASE d.art WHEN 'ek' THEN a.ek_ct ELSE verkaufspreis(a) END, a, d.tag) AS own
    FROM (${documents}) AS d JOIN artikel a USING (artid)`;
  expect(await wrong(sql, ({ preis, own }) => Number(preis) === Number(own), 2_000)).toEqual([]);
  const currencies = await company.rows(`SELECT DISTINCT waehr FROM (${documents}) AS d`);
  expect(currencies.length).toBeGreaterThan(10);
  const dear = await company.rows(
    `SELECT * FROM (${documents}) AS d JOIN artikel a USING (artid) WHERE d.waehr = 'HUF' AND preis < 300 * ek_ct / 100.0`,
  );
  expect(dear).toEqual([]);
});

test('amounts in yen have no decimal places', async () => {
  const amounts = `SELECT brutto_ct AS ct FROM rechkopf WHERE waehr = 'JPY' UNION ALL SELECT netto_ct FROM bestkopf WHERE waehr = 'JPY'
    UNION ALL SELECT fracht_ct FROM bestkopf WHERE waehr = 'JPY' UNION ALL SELECT betrag_ct FROM zahlung WHERE waehr = 'JPY'
    UNION ALL SELECT brutto_ct FROM gutschrift WHERE waehr = 'JPY' UNION ALL SELECT preis * 100 FROM angkopf JOIN angpos USING (angnr) WHERE waehr = 'JPY'`;
  expect(await wrong(amounts, ({ ct }) => Number(ct) % 100 === 0)).toEqual([]);
});

test('billed quantities and percentages are those of posted bills and invoices', async () => {
  const billed = (order: string) => `
    SELECT ${order} AS line, sum(menge) AS billed FROM rechpos JOIN rechkopf k USING (rechnr) WHERE k.status IN ('F', 'G', 'T', 'U', 'B') GROUP BY 1`;
  const lines = `SELECT mg_rechnung, coalesce(billed, 0) AS billed
      FROM bestpos LEFT JOIN (${billed('best_pos')}) b ON line = bestnr || '/' || posnr
    UNION ALL SELECT mg_rechnung, coalesce(billed, 0)
      FROM vkpos LEFT JOIN (${billed('vk_pos')}) b ON line = vknr || '/' || posnr`;
  expect(await wrong(lines, ({ mg_rechnung, billed }) => Number(mg_rechnung) === Number(billed))).toEqual([]);
  const percentages = `SELECT re_proz, mg_proz, round(sum(netto * mg_rechnung / menge) * 100 / sum(netto), 1) AS billed,
      round(sum(netto * mg_wareneingang / menge) * 100 / sum(netto), 1) AS received
    FROM bestkopf JOIN bestpos USING (bestnr) GROUP BY bestnr`;
  const isRight = ({ re_proz, mg_proz, billed, received }: Record<string, string>) =>
    Number(re_proz) === Number(billed) && Number(mg_proz) === Number(received);
  expect(await wrong(percentages, isRight)).toEqual([]);
  const received = `SELECT mg_wareneingang, coalesce(arrived, 0) AS arrived FROM bestpos LEFT JOIN (
      SELECT best_pos, sum(menge) AS arrived FROM wepos JOIN wekopf h USING (wenr)
      WHERE h.status = 'B' AND h.kz_retour = 'N' GROUP BY 1) z ON best_pos = bestnr || '/' || posnr`;
  expect(await wrong(received, (row) => Number(row.mg_wareneingang) === Number(row.arrived))).toEqual([]);
});

test('closed orders are billed by posted bills, and some drafts wait for approval', async () => {
  const closed = `SELECT p.mg_rechnung, p.mg_wareneingang - p.mg_retour AS kept FROM bestkopf k JOIN bestpos p USING (bestnr) WHERE k.status = 'A'`;
  expect(await wrong(closed, ({ mg_rechnung, kept }) => Number(mg_rechnung) === Number(kept))).toEqual([]);
  const drafts = `SELECT count(*)::int FROM rechkopf WHERE belegart = 'K' AND status IN ('E', 'V')`;
  expect(await company.value(drafts)).toBeGreaterThan(10);
});

test('goods do not arrive before they are ordered', async () => {
  const early = `SELECT w.belegnr FROM wekopf w JOIN bestkopf k USING (bestnr) WHERE tag_aus(w.zeit) < tag_aus(k.bestdat)`;
  expect(await company.rows(early)).toEqual([]);
});

test('vendors offer items that the company buys, without a text for its customers', async () => {
  const offers = `SELECT a.kz_einkauf, k.kdtext FROM angkopf k JOIN angpos p USING (angnr) JOIN artikel a USING (artid) WHERE k.art = 'E'`;
  expect(await wrong(offers, ({ kz_einkauf, kdtext }) => kz_einkauf === 'J' && kdtext === null)).toEqual([]);
});

test('rent periods and charges are within the term of their lease', async () => {
  const sql = `SELECT kz, beginn, ende, von, bis FROM mietvertrag, jsonb_to_recordset(raten || nebenkosten) AS r (von text, bis text)
    WHERE tag_aus(von) < tag_aus(beginn) OR tag_aus(bis) > tag_aus(ende)`;
  expect(await company.rows(sql)).toEqual([]);
});

test('the customs code of an item fits its group, and its weight its kind', async () => {
  const isRight = ({ gruppe = '', zolltarif = '', gewicht = '' }) => {
    const { code, grams } = itemCustoms[gruppe] ?? { code: '', grams: [0, 0] };
    return zolltarif === code && Number(gewicht) * 1_000 >= grams[0] && Number(gewicht) * 1_000 <= grams[1];
  };
  expect(await wrong('SELECT gruppe, zolltarif, gewicht FROM artikel WHERE zolltarif IS NOT NULL', isRight)).toEqual(
    [],
  );
  expect(await company.value('SELECT count(DISTINCT left(zolltarif, 4))::int FROM artikel')).toBeGreaterThan(10);
});
