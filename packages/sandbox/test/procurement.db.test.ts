import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CompanyDatabase, startCompanyDatabase } from './company-database.ts';

let company: CompanyDatabase;

beforeAll(async () => {
  company = await startCompanyDatabase();
});

afterAll(() => company.stop());

describe('purchasing of the sandbox company', () => {
  test.each([
    ['projekt', 72, 72],
    ['vertrag', 130, 130],
    ['banf', 250, 350],
    ['banfpos', 1_000, 2_000],
    ['anfrage', 90, 90],
    ['wekopf', 900, 1_500],
    ['wepos', 4_500, 6_500],
  ])('%s has %i to %i rows', async (table, low, high) => {
    const count = await company.value(`SELECT count(*)::int AS count FROM ${table}`);
    expect(count).toBeGreaterThanOrEqual(low);
    expect(count).toBeLessThanOrEqual(high);
  });

  test.each([
    [
      'the received quantity of an order line is that of its receipts',
      `SELECT bestnr, posnr FROM bestpos p LEFT JOIN LATERAL (
         SELECT sum(menge) FILTER (WHERE kz_retour = 'N') AS arrived, sum(mg_abgelehnt) AS refused, sum(menge) FILTER (WHERE kz_retour = 'J') AS returned
         FROM wepos z JOIN wekopf USING (wenr) WHERE z.best_nr = p.bestnr AND z.best_pnr = p.posnr) s ON true
       WHERE (mg_wareneingang, mg_abgelehnt, mg_retour) <> (coalesce(arrived, 0), coalesce(refused, 0), coalesce(returned, 0))`,
    ],
    [
      'the ordered quantity of a requisition line is that of its orders',
      `SELECT banfnr, posnr FROM banfpos p LEFT JOIN LATERAL (
         SELECT sum(menge) AS ordered, sum(mg_wareneingang) AS arrived FROM bestpos b WHERE b.banf_nr = p.banfnr AND b.banf_pnr = p.posnr) s ON true
       WHERE (mg_bestellt, mg_eingang) <> (coalesce(ordered, 0), coalesce(arrived, 0))`,
    ],
    [
      'the status of a requisition is consistent with its ordered quantity',
      `SELECT banfnr FROM banf k JOIN LATERAL (SELECT bool_and(mg_bestellt >= menge) AS whole, bool_or(mg_bestellt > 0) AS part
         FROM banfpos p WHERE p.banfnr = k.banfnr) s ON true
       WHERE (status = 'B') <> whole OR (status IN ('B', 'T')) <> part`,
    ],
    [
      'amounts are the totals of the lines',
      `SELECT 'banf' AS what, banfnr FROM banf k WHERE netto_ct <> (SELECT sum(netto) * 100 FROM banfpos p WHERE p.banfnr = k.banfnr)
       UNION ALL SELECT 'wekopf', wenr FROM wekopf k WHERE abs(netto_ct - (SELECT sum(netto) * 100 FROM wepos p WHERE p.wenr = k.wenr)) > 9`,
    ],
    [
      'the cost of a project is that of its orders',
      `SELECT projnr FROM projekt p WHERE abs(einkauf_ct -
         coalesce((SELECT sum(netto_ct) FROM bestkopf b WHERE b.projnr = p.projnr AND status NOT IN ('E', 'V', 'S')), 0)) > 1`,
    ],
    [
      'a receipt, a request and a contract have the vendor of their order',
      `SELECT b.bestnr FROM bestkopf b LEFT JOIN wekopf w USING (bestnr) LEFT JOIN anfrage a USING (anfnr) LEFT JOIN vertrag v USING (vtrnr)
       WHERE w.liefnr <> b.liefnr OR NOT b.liefnr::text = ANY (string_to_array(a.lieferanten, ' ')) OR (v.partei_art, v.partei) <> ('L', b.liefnr)`,
    ],
    [
      'vendors of requests and parties of contracts exist',
      `SELECT 'anfrage' AS what, n FROM anfrage, unnest(string_to_array(lieferanten, ' ')) AS n WHERE n::bigint NOT IN (SELECT liefnr FROM lief)
       UNION ALL SELECT 'vertrag', partei::text FROM vertrag
       WHERE NOT CASE partei_art WHEN 'L' THEN partei IN (SELECT liefnr FROM lief) ELSE partei IN (SELECT kdnr FROM kunde) END`,
    ],
    [
      'every status is in the list of statuses',
      `SELECT 'BAN' AS area, status::text FROM banf EXCEPT SELECT bereich, status FROM status_def
       UNION ALL (SELECT 'ANF', status::text FROM anfrage EXCEPT SELECT bereich, status FROM status_def)
       UNION ALL (SELECT 'WEK', status::text FROM wekopf EXCEPT SELECT bereich, status FROM status_def)
       UNION ALL (SELECT 'VTR', status::text FROM vertrag EXCEPT SELECT bereich, status FROM status_def)
       UNION ALL (SELECT 'PRJ', status::text FROM projekt EXCEPT SELECT bereich, status FROM status_def)`,
    ],
  ])('%s', async (_, violations) => {
    expect(await company.rows(violations)).toEqual([]);
  });
});
