import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CompanyDatabase, startCompanyDatabase } from './company-database.ts';

let company: CompanyDatabase;

beforeAll(async () => {
  company = await startCompanyDatabase();
});

afterAll(() => company.stop());

describe('the warehouse of the sandbox company', () => {
  test.each([
    ['fach', 500, 600],
    ['bestand', 1_200, 1_600],
    ['bezug', 1_000, 1_300],
    ['lagerbeleg', 480, 480],
    ['bewegung', 6_500, 8_500],
    ['ausgabe', 240, 240],
  ])('%s has %i to %i rows', async (table, low, high) => {
    const count = await company.value(`SELECT count(*)::int FROM ${table}`);
    expect(count).toBeGreaterThanOrEqual(low);
    expect(count).toBeLessThanOrEqual(high);
  });

  test('stock is the total of its movements', async () => {
    const odd = await company.rows(`
      SELECT artid, fachnr, charge, sum(menge) FROM (
        SELECT artid, fachnr, charge, menge FROM bestand UNION ALL SELECT artid, fachnr, charge, -menge FROM bewegung) AS m
      GROUP BY artid, fachnr, charge HAVING sum(menge) <> 0`);
    expect(odd).toEqual([]);
  });

  test('the storeroom of the documented examples has enough hex bolts for them', async () => {
    const bolts =
      await company.value(`SELECT max(b.menge)::int FROM bestand b JOIN artikel a USING (artid) JOIN platz p USING (platznr)
      WHERE a.bez = 'Hex bolt M8 × 40' AND p.bez = 'Storeroom HAM-A'`);
    expect(bolts).toBeGreaterThanOrEqual(250);
  });

  test('an item shows the stock of all locations', async () => {
    const odd =
      await company.rows(`SELECT a.artnr, a.bestand, sum(b.menge) FROM artikel a LEFT JOIN bestand b USING (artid)
      GROUP BY a.artid HAVING a.bestand IS DISTINCT FROM sum(b.menge)`);
    expect(odd).toEqual([]);
  });

  test('the quantity on order is what open purchase orders bring to each location, without deliveries to customers', async () => {
    const ordered = `SELECT p.artid, coalesce(p.lieferplatz, k.lieferplatz) AS platznr, sum(p.menge - p.mg_wareneingang) AS menge
      FROM bestkopf k JOIN bestpos p USING (bestnr) JOIN artikel a USING (artid)
      WHERE k.status IN ('F', 'G', 'T') AND p.status IN ('O', 'T') AND a.kz_bestand = 'J' AND k.kdnr IS NULL GROUP BY 1, 2`;
    const shown = 'SELECT artid, platznr, sum(mg_bestellt) AS menge FROM bestand GROUP BY 1, 2';
    const odd = await company.rows(`SELECT * FROM (${ordered}) AS o FULL JOIN (${shown}) AS s USING (artid, platznr)
      WHERE coalesce(o.menge, 0) <> coalesce(s.menge, 0)`);
    expect(odd).toEqual([]);
    const direct = `SELECT k.belegnr FROM bestkopf k JOIN bestpos p USING (bestnr)
      WHERE (k.kdnr IS NOT NULL) <> (k.lieferplatz IS NULL) OR k.kdnr IS NOT NULL AND p.lieferplatz IS NOT NULL`;
    expect(await company.rows(direct)).toEqual([]);
  });

  test('every movement has the quantity that remains at that time, which is never negative', async () => {
    const odd = await company.rows(`
      SELECT kz, saldo, rest FROM (
        SELECT kz, saldo, sum(menge) OVER (PARTITION BY artid, fachnr, charge, seriennr ORDER BY zeit, bewnr) AS rest FROM bewegung) AS m
      WHERE saldo <> rest OR saldo < 0`);
    expect(odd).toEqual([]);
  });

  test('movements are numbered in chronological order', async () => {
    const odd = await company.rows(
      'SELECT kz FROM (SELECT kz, zeit, max(zeit) OVER (ORDER BY bewnr) AS latest FROM bewegung) AS m WHERE zeit < latest',
    );
    expect(odd).toEqual([]);
  });

  test('only stock that can be used is reserved', async () => {
    expect(await company.rows(`SELECT kz FROM bestand WHERE zustand NOT IN ('F', 'K') AND mg_reserviert > 0`)).toEqual(
      [],
    );
    expect(await company.value('SELECT count(*)::int FROM bestand WHERE mg_reserviert > 0')).toBeGreaterThan(50);
  });

  test('posted receipts, returns and shipments have moved their goods, and others have not', async () => {
    const odd = await company.rows(`
      SELECT art, nr, posnr, sum(menge) FROM (
        SELECT 'E' AS art, wenr AS nr, posnr, CASE kz_retour WHEN 'J' THEN -menge ELSE menge END AS menge
        FROM wepos JOIN wekopf w USING (wenr) JOIN artikel a USING (artid)
        WHERE w.status = 'B' AND a.kz_bestand = 'J' AND zeit_aus(zeit) > now() - interval '420 days'
        UNION ALL SELECT 'L', lfnr, posnr, -menge FROM lieferpos JOIN lieferung d USING (lfnr) JOIN artikel a USING (artid)
        WHERE richtung = 'A' AND d.status IN ('U', 'Z') AND a.kz_bestand = 'J' AND zeit_aus(versandt) > now() - interval '420 days'
        UNION ALL SELECT urspr_art, urspr, urspr_pos, -menge FROM bewegung WHERE urspr_pos IS NOT NULL AND zeit > now() - interval '420 days') AS m
      GROUP BY art, nr, posnr HAVING sum(menge) <> 0`);
    expect(odd).toEqual([]);
    expect(await company.value('SELECT count(*)::int FROM bewegung WHERE urspr_pos IS NOT NULL')).toBeGreaterThan(
      2_000,
    );
  });

  test('posted documents have moved the quantities of their lines, and others have not', async () => {
    const odd = await company.rows(`
      SELECT k.belegnr, k.status, count(b.*)::int AS movements FROM lagerbeleg k LEFT JOIN bewegung b USING (lbnr)
      GROUP BY k.lbnr HAVING CASE
        WHEN k.status <> 'B' THEN count(b.*) > 0
        WHEN k.art = 'IN' THEN coalesce(sum(b.menge), 0) <> (SELECT sum(abw) FROM jsonb_to_recordset(k.positionen) AS p (abw numeric))
        WHEN k.art IN ('UM', 'EL') THEN sum(b.menge) <> 0
        ELSE abs(sum(b.menge)) <> abs((SELECT sum(coalesce(entnommen, menge)) FROM jsonb_to_recordset(k.positionen) AS p (entnommen numeric, menge numeric)))
      END`);
    expect(odd).toEqual([]);
  });

  test('the rules of the system compute the same lines and totals', async () => {
    const sums = `SELECT lbnr, positionen, mg_summe, wert_ct, fortschritt FROM lagerbeleg WHERE status IN ('E', 'A') ORDER BY lbnr`;
    const before = await company.rows(sums);
    expect(before.length).toBeGreaterThan(40);
    await company.rows(`UPDATE lagerbeleg SET bem = 'Read again' WHERE status IN ('E', 'A')`);
    expect(await company.rows(sums)).toEqual(before);
  });

  test('consignment stock contains purchased items, is owned by one of their vendors, and has no value', async () => {
    const sql = `SELECT b.kz, a.art, l.gruppe, b.wert FROM bestand b JOIN artikel a USING (artid) LEFT JOIN lief l ON l.liefnr = b.eignernr WHERE b.zustand = 'K'`;
    const rows = await company.rows(sql);
    expect(rows.length).toBeGreaterThan(5);
    expect(rows.filter(({ art, gruppe, wert }) => art === 'FERT' || gruppe === null || Number(wert) !== 0)).toEqual([]);
  });

  test('bins are at the location of their stock', async () => {
    const odd =
      await company.rows(`SELECT kz FROM bestand b WHERE NOT EXISTS (SELECT FROM fach f WHERE f.fachnr = b.fachnr AND f.platznr = b.platznr)
      UNION ALL SELECT kz FROM bewegung b WHERE NOT EXISTS (SELECT FROM fach f WHERE f.fachnr = b.fachnr AND f.platznr = b.platznr)`);
    expect(odd).toEqual([]);
  });
});
