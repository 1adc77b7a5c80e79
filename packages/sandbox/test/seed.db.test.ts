import { platformOf } from '@unified/connectors';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { addSandboxPlatform } from '../src/index.ts';
import { type CompanyDatabase, fullCompany, startCompanyDatabase } from './company-database.ts';

// Seeds a second company, which can be slow on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

let company: CompanyDatabase;

function addedPlatform() {
  addSandboxPlatform();
  return platformOf('sandbox');
}

beforeAll(async () => {
  company = await startCompanyDatabase(fullCompany);
});

afterAll(() => company.stop());

describe('the sandbox company', () => {
  test('has rows in every stream, many in some, and few enough for a first sync within a minute', async () => {
    const tables = addedPlatform().streams.map(({ name, options }) => String(options.view ?? options.table ?? name));
    const counts = new Map<string, number>();
    for (const table of new Set(tables))
      counts.set(table, Number(await company.value(`SELECT count(*) FROM ${table}`)));
    expect([...counts].filter(([, count]) => count === 0)).toEqual([]);
    expect(Math.max(...counts.values())).toBeGreaterThan(10_000);
    expect([...counts.values()].reduce((sum, count) => sum + count)).toBeLessThan(120_000);
  });

  test('owners of addresses exist', async () => {
    const strays = await company.value(`SELECT count(*) FROM adresse a WHERE NOT (CASE bezug_art
      WHEN 'L' THEN EXISTS (SELECT FROM lief WHERE liefnr = bezug) WHEN 'K' THEN EXISTS (SELECT FROM kunde WHERE kdnr = bezug)
      WHEN 'P' THEN EXISTS (SELECT FROM personal WHERE persnr = bezug) WHEN 'W' THEN EXISTS (SELECT FROM werk WHERE werknr = bezug)
      WHEN 'M' THEN EXISTS (SELECT FROM mandant WHERE mandnr = bezug) ELSE false END)`);
    expect(Number(strays)).toBe(0);
  });

  test('short keys, statuses and lists of codes refer to existing entries', async () => {
    const strays = await company.rows(`
      SELECT 'status' AS what FROM auftrag a WHERE NOT EXISTS (SELECT FROM status_def WHERE bereich = 'AUF' AND status = a.status)
      UNION ALL SELECT 'order' FROM bestkopf k WHERE NOT EXISTS (SELECT FROM status_def WHERE bereich = 'BES' AND status = k.status::text)
      UNION ALL SELECT 'line' FROM bestpos p WHERE NOT EXISTS (SELECT FROM status_def WHERE bereich = 'POS' AND status = p.status::text)
      UNION ALL SELECT 'production' FROM fauf f WHERE NOT EXISTS (SELECT FROM status_def WHERE bereich = 'FAU' AND status = f.status)
      UNION ALL SELECT 'country' FROM sprache s, unnest(string_to_array(laender, ' ')) c WHERE NOT EXISTS (SELECT FROM land WHERE lkz = c)
      UNION ALL SELECT 'parent' FROM schluessel s WHERE ueber IS NOT NULL AND NOT EXISTS (SELECT FROM schluessel WHERE wert = s.ueber)
      UNION ALL SELECT 'entry' FROM buchung b WHERE NOT EXISTS (SELECT FROM status_def WHERE bereich = 'BUC' AND status = b.status::text)
      UNION ALL SELECT 'budget' FROM budget b WHERE NOT EXISTS (SELECT FROM status_def WHERE bereich = 'BUD' AND status = b.status::text)
      UNION ALL SELECT 'lease' FROM mietvertrag v WHERE NOT EXISTS (SELECT FROM status_def WHERE bereich = 'MIV' AND status = v.status::text)
      UNION ALL SELECT 'application' FROM mietantrag a WHERE NOT EXISTS (SELECT FROM status_def WHERE bereich = 'MIA' AND status = a.status::text)
      UNION ALL SELECT 'class' FROM bestkopf k, unnest(string_to_array(schluessel, ' ')) c WHERE NOT EXISTS (SELECT FROM schluessel WHERE wert = c)`);
    expect(strays).toEqual([]);
  });

  test('amounts of an order are the totals of its lines', async () => {
    const wrong =
      await company.value(`SELECT count(*) FROM bestkopf k JOIN LATERAL (SELECT sum(netto) * 100 AS netto FROM bestpos p WHERE p.bestnr = k.bestnr) s
      ON true WHERE abs(k.netto_ct - s.netto) > 1`);
    expect(Number(wrong)).toBe(0);
  });

  test('quantities of production orders are those of their operations, and material and resources belong to orders', async () => {
    const wrong = await company.rows(`
      SELECT 'quantity' AS what, faufnr FROM fauf f WHERE gut_mg <> (SELECT coalesce(gut_mg, 0) FROM favorgang v WHERE v.faufnr = f.faufnr ORDER BY vornr DESC LIMIT 1)
      UNION ALL SELECT 'future', faufnr FROM favorgang WHERE ist_von > now() OR ist_bis > now()
      UNION ALL SELECT 'unfinished', faufnr FROM favorgang v JOIN fauf f USING (faufnr) WHERE f.status IN ('60', '80') AND v.status <> 'F'
      UNION ALL SELECT 'order', bezug FROM (SELECT bezug_art, bezug FROM aufmat UNION SELECT bezug_art, bezug FROM aufres) b WHERE NOT CASE bezug_art
        WHEN 'F' THEN EXISTS (SELECT FROM fauf WHERE faufnr = bezug) ELSE EXISTS (SELECT FROM auftrag WHERE aufid = bezug) END
      UNION ALL SELECT 'purchase', matnr FROM aufmat m WHERE bestpos IS NOT NULL AND NOT EXISTS (
        SELECT FROM bestpos p WHERE p.bestnr || '/' || p.posnr = m.bestpos AND p.artid = m.artid)`);
    expect(wrong).toEqual([]);
  });

  test('a product costs as much as its bill of materials and its routing, and is sold with a margin', async () => {
    const products =
      await company.rows(`SELECT a.artnr, a.std_ct / 100.0 AS standard, a.vk_ct / 100.0 AS price, k.kosten, k.stlkz
      FROM artikel a JOIN stueckliste_mit_kosten k USING (artid) WHERE k.vorgabe = 'J'`);
    expect(products.length).toBeGreaterThan(50);
    const odd = products.filter(({ standard, price, kosten }) => {
      const margin = 1 - Number(kosten) / Number(price);
      return Math.abs(Number(standard) - Number(kosten)) > 0.1 || margin < 0.15 || margin > 0.5;
    });
    expect(odd).toEqual([]);
  });

  test('finished production orders cost about the value of the machines that they made', async () => {
    const orders =
      await company.rows(`SELECT f.faufkz, f.ist_kosten AS actual, (f.gut_mg + f.aus_mg) * a.std_ct / 100 AS value
      FROM fauf_mit_kosten f JOIN artikel a USING (artid) WHERE f.status IN ('60', '80')`);
    expect(orders.length).toBeGreaterThan(50);
    expect(orders.filter(({ actual, value }) => Math.abs(Number(actual) / Number(value) - 1) > 0.25)).toEqual([]);
  });

  test('the cost of a work order is that of its labor, its issued material and its services', async () => {
    const orders = `SELECT aufid, coalesce(lohn_ct, 0) AS labor, coalesce(mat_ct, 0) AS material, coalesce(fremd_ct, 0) AS services,
        (SELECT coalesce(sum(wert), 0) * 100 FROM aufmat WHERE bezug_art = 'A' AND bezug = aufid) AS issued,
        (SELECT coalesce(sum(kosten_ct) FILTER (WHERE art <> 'F'), 0) FROM aufres WHERE bezug_art = 'A' AND bezug = aufid) AS worked,
        (SELECT coalesce(sum(kosten_ct) FILTER (WHERE art = 'F'), 0) FROM aufres WHERE bezug_art = 'A' AND bezug = aufid) AS bought
      FROM auftrag`;
    const wrong = `SELECT * FROM (${orders}) AS a WHERE (labor, material, services) <> (worked, issued, bought) LIMIT 5`;
    expect(await company.rows(wrong)).toEqual([]);
    const [costs] =
      await company.rows(`SELECT count(*) FILTER (WHERE labor > 0)::int AS labor, count(*) FILTER (WHERE material > 0)::int AS material,
      count(*) FILTER (WHERE services > 0)::int AS services FROM (${orders}) AS a`);
    expect(Object.values(costs ?? {}).every((count) => Number(count) >= 5)).toBe(true);
  });

  test('material of a work order comes from a storeroom at its site', async () => {
    const elsewhere = `SELECT a.aufnr, p.kz FROM auftrag a JOIN platz p ON p.platznr = a.lager WHERE p.werknr <> a.werknr OR p.typ <> 'storeroom'
      UNION ALL SELECT a.aufnr, p.kz FROM aufmat m JOIN auftrag a ON a.aufid = m.bezug JOIN platz p ON p.platznr = m.platznr WHERE m.bezug_art = 'A' AND p.werknr <> a.werknr`;
    expect(await company.rows(elsewhere)).toEqual([]);
  });

  test('journal entries balance, and budgets are the totals of their lines', async () => {
    const entries = await company.value(`SELECT count(*) FROM buchung b JOIN LATERAL (
      SELECT sum(zahl_aus(p ->> 'soll')) * 100 AS debit, sum(zahl_aus(p ->> 'haben')) * 100 AS credit
      FROM jsonb_array_elements(b.positionen) p) s ON true WHERE s.debit <> b.soll_ct OR s.credit <> b.haben_ct OR s.debit <> s.credit`);
    expect(Number(entries)).toBe(0);
    const budgets = await company.value(`SELECT count(*) FROM budget b JOIN LATERAL (
      SELECT sum(betrag) * 100 AS planned, sum(ist) * 100 AS spent, sum(obligo) * 100 AS committed FROM budgetpos p
      WHERE p.budnr = b.budnr) s ON true WHERE (s.planned, s.spent, s.committed) <> (b.summe_ct, b.ist_ct, b.obligo_ct)`);
    expect(Number(budgets)).toBe(0);
  });

  test('existing rows of the ledger and the real estate satisfy the rules for new ones', async () => {
    for (const table of ['bankkto', 'gjahr', 'periode', 'budgetpos', 'liegenschaft', 'flaeche']) {
      await company.rows(`BEGIN; UPDATE ${table} SET angelegt = angelegt; ROLLBACK`);
    }
    const early = await company.value(
      `SELECT count(*) FROM mietvertrag WHERE to_date(ende, 'DD.MM.YYYY') < to_date(beginn, 'DD.MM.YYYY')`,
    );
    expect(Number(early)).toBe(0);
    const strays = await company.value(`SELECT count(*) FROM buchung b JOIN periode p USING (pernr)
      WHERE b.buchdat NOT BETWEEN p.von AND p.bis OR p.sonder = 'J'`);
    expect(Number(strays)).toBe(0);
  });

  test('documents have the exchange rate of their day, relative to the currency of their company', async () => {
    const tables = ['angkopf', 'vkkopf', 'bestkopf', 'rechkopf', 'zahlung', 'gutschrift', 'buchung'];
    for (const table of tables) {
      const wrong = await company.rows(`SELECT d.belegnr, d.waehr, d.kurs FROM ${table} d
        LEFT JOIN mandant m ON m.mand = to_jsonb(d) ->> 'mand', LATERAL (SELECT coalesce(m.waehr, 'EUR') AS own) o
        WHERE d.kurs IS NULL OR d.kurs <= 0 OR (d.kurs = 1) <> (d.waehr = own)
          OR own = 'EUR' AND d.waehr = 'USD' AND d.kurs NOT BETWEEN 0.6 AND 1.2 OR own = 'GBP' AND d.waehr = 'EUR' AND d.kurs NOT BETWEEN 0.6 AND 1.2`);
      expect({ table, wrong: wrong.slice(0, 5) }).toEqual({ table, wrong: [] });
    }
  });

  test('amounts of an invoice are those of its lines and settlements', async () => {
    const wrong = await company.rows(`SELECT k.belegnr FROM rechkopf k
      JOIN LATERAL (SELECT sum(betrag) * 100 AS netto, sum(ust) * 100 AS ust FROM rechpos p WHERE p.rechnr = k.rechnr) s ON true
      LEFT JOIN LATERAL (SELECT coalesce(sum(betrag_ct), 0) AS paid, max(am) FILTER (WHERE art = 'Z') AS last FROM ausgleich a WHERE a.rechnr = k.rechnr) z ON true
      WHERE k.netto_ct <> s.netto OR k.pos_ust_ct <> s.ust
        OR k.ust_ct <> restust(k.pos_ust_ct, k.netto_ct, nachlass(k.netto_ct, k.rabatt_proz, k.rabatt_ct))
        OR k.brutto_ct <> k.netto_ct + k.ust_ct + coalesce(k.fracht_ct, 0) - nachlass(k.netto_ct, k.rabatt_proz, k.rabatt_ct)
        OR k.bezahlt_ct <> z.paid
        OR k.offen_ct <> (CASE WHEN k.status IN ('S', 'X') THEN 0 ELSE k.brutto_ct - z.paid END) OR k.letzte_zahlung IS DISTINCT FROM z.last
        OR (k.status = 'B') <> (z.paid = k.brutto_ct) OR (k.status = 'T') <> (z.paid > 0 AND z.paid < k.brutto_ct)`);
    expect(wrong).toEqual([]);
  });

  test('payments and credit notes settle the amounts that their invoices show', async () => {
    const wrong = await company.rows(`
      WITH said AS (
        SELECT 'Z' AS art, zahlnr AS nr, jsonb_array_elements(zuordnung) AS z FROM zahlung
        UNION ALL SELECT 'G', gutnr, jsonb_array_elements(zuordnung) FROM gutschrift)
      SELECT s.art, s.nr, k.rechnr, round(replace(z ->> 'betrag', ',', '.')::numeric * 100) AS betrag_ct, z ->> 'am' AS am
      FROM said s JOIN rechkopf k ON k.belegnr = z ->> 'beleg' EXCEPT SELECT art, nr, rechnr, betrag_ct, am FROM ausgleich`);
    expect(wrong).toEqual([]);
  });

  test('requests and orders refer to each other, and readings, steps and alarms are consistent with their assets', async () => {
    const wrong = await company.rows(`
      SELECT 'request' AS what FROM meldung m JOIN auftrag a USING (meldnr) WHERE m.aufid IS DISTINCT FROM a.aufid OR m.anlnr <> a.anlnr
      UNION ALL SELECT 'converted' FROM meldung WHERE (status = '40') <> (aufid IS NOT NULL)
      UNION ALL SELECT 'plan' FROM auftrag a JOIN wplan p USING (wpnr)
        WHERE a.art <> p.art OR a.anlnr::text <> ALL (string_to_array(p.anlagen, ' '))
      UNION ALL SELECT 'due' FROM anlage a WHERE a.wartung_am <> (SELECT to_char(min(faellig_am) AT TIME ZONE 'UTC', 'YYYYMMDD') FROM wplan
        WHERE a.anlnr::text = ANY (string_to_array(anlagen, ' ')) OR typ_anl = a.vorlage)
      UNION ALL SELECT 'next' FROM wplan p WHERE faellig_am <> (SELECT min(naechste_am) FROM wausloeser WHERE wpnr = p.wpnr)
      UNION ALL SELECT 'reading' FROM zaehlstand s JOIN zaehler z USING (zaehlnr) WHERE s.anlnr <> z.anlnr OR z.art = 'L' AND s.delta < 0
      UNION ALL SELECT 'newest' FROM zaehler z WHERE stand <> (SELECT wert FROM zaehlstand s WHERE s.zaehlnr = z.zaehlnr ORDER BY gelesen DESC LIMIT 1)
      UNION ALL SELECT 'step' FROM aufschritt s JOIN auftrag a USING (aufid)
        WHERE s.anlnr <> a.anlnr OR s.kz_pflicht = 'J' AND (a.status IN ('40', '50')) <> (s.status = 'E') AND a.status <> '20'
      UNION ALL SELECT 'alarm' FROM alarm l JOIN auftrag a USING (aufid) WHERE l.anlnr <> a.anlnr OR l.zeit > a.gemeldet
      UNION ALL SELECT 'trigger' FROM wausloeser WHERE art IN ('M', 'C') AND zaehlnr IS NULL`);
    expect(wrong).toEqual([]);
  });

  test.each(['America/St_Johns', 'Pacific/Auckland'])(
    'computes in UTC on a server in the time zone %s',
    async (zone) => {
      const reckoned = async (here: string) => {
        await company.rows(
          `BEGIN; SET LOCAL timezone TO '${here}'; UPDATE wausloeser SET letzte_am = NULL; UPDATE anlage SET buchwert_ct = 0`,
        );
        const triggers = await company.rows(
          `SELECT wanr, extract(epoch FROM naechste_am) AS due FROM wausloeser ORDER BY 1`,
        );
        const assets = await company.rows('SELECT anlnr, buchwert_ct FROM anlage ORDER BY 1');
        // Clocks in both zones skip one of these hours.
        const hours = await company.rows(`SELECT extract(epoch FROM zeit_aus('2027' || day || '023000')) AS at
        FROM unnest(ARRAY['0314', '0926', '0801']) AS day`);
        await company.rows('ROLLBACK');
        return { triggers, assets, hours };
      };
      expect(await reckoned(zone)).toEqual(await reckoned('UTC'));
    },
  );

  test.each([
    [
      'invoices are consistent with their order, contract and receipt',
      `SELECT k.belegnr FROM rechkopf k JOIN vkkopf v USING (vknr) WHERE k.kdnr <> v.kdnr
       UNION ALL SELECT vk_pos FROM rechpos p JOIN vkpos v ON v.vknr || '/' || v.posnr = p.vk_pos WHERE (p.artid, p.menge, p.ust) IS DISTINCT FROM (v.artid, v.menge, v.ust)
       UNION ALL SELECT k.belegnr FROM rechkopf k JOIN bestkopf b USING (bestnr) WHERE (k.projnr, k.vtrnr) IS DISTINCT FROM (b.projnr, b.vtrnr)
       UNION ALL SELECT we_pos FROM rechpos p JOIN wepos w ON w.wenr || '/' || w.posnr = p.we_pos WHERE w.best_pos <> p.best_pos
       UNION ALL SELECT a.belegnr FROM angkopf a JOIN rechkopf k USING (rechnr) WHERE a.kdnr <> k.kdnr OR a.vknr IS NOT NULL`,
    ],
    [
      'returns and their credit notes refer to each other, and have the same amount',
      `SELECT r.belegnr FROM retoure r FULL JOIN (SELECT * FROM gutschrift WHERE retnr IS NOT NULL) g USING (retnr)
       WHERE r.gutnr IS DISTINCT FROM g.gutnr OR g.kdnr <> r.kdnr OR g.brutto_ct <> r.summe_ct`,
    ],
    [
      'goods bought and made for sales orders are in their lines',
      `SELECT b.belegnr FROM bestkopf b JOIN vkkopf v USING (vknr) WHERE b.kdnr <> v.kdnr
         OR NOT EXISTS (SELECT FROM bestpos p JOIN vkpos s USING (artid) WHERE p.bestnr = b.bestnr AND s.vknr = b.vknr)
       UNION ALL SELECT f.faufkz FROM fauf f LEFT JOIN vkpos s ON s.vknr || '/' || s.posnr = f.vkpos
       WHERE f.vkpos IS NOT NULL AND (f.artid, f.vknr) IS DISTINCT FROM (s.artid, s.vknr)`,
    ],
    [
      'shipments of transfers have the quantities of their documents',
      `SELECT l.belegnr FROM lieferung l JOIN lagerbeleg b USING (lbnr) WHERE (l.von_platz, l.nach_platz) <> (b.platz_von, b.platz_nach)
         OR b.mg_summe <> (SELECT sum(menge) FROM lieferpos p WHERE p.lfnr = l.lfnr)`,
    ],
    [
      'assets, bins, checklists and projects are consistent with orders and partners',
      `SELECT 'line' AS what FROM bestpos p LEFT JOIN auftrag a USING (aufid) WHERE p.anlnr IS DISTINCT FROM a.anlnr
       UNION ALL SELECT 'voucher' FROM ausgabe p LEFT JOIN auftrag a USING (aufid) WHERE p.anlnr IS DISTINCT FROM a.anlnr
       UNION ALL SELECT 'bin' FROM aufmat m JOIN fach f USING (fachnr) WHERE m.platznr <> f.platznr
       UNION ALL SELECT 'step' FROM aufmat m WHERE m.schritt IS NOT NULL AND beleg_aus(m.schritt) <> m.bezug
       UNION ALL SELECT 'list' FROM auftrag a JOIN pruefliste l USING (plinr) WHERE (l.bezug_art, l.bezug) IS DISTINCT FROM ('A', a.aufid)
       UNION ALL SELECT 'plan' FROM wplan p JOIN pruefliste l USING (plinr) WHERE l.kz_vorlage <> 'J'
       UNION ALL SELECT 'quote' FROM angkopf k JOIN projekt p USING (projnr) WHERE k.kdnr <> p.kdnr
       UNION ALL SELECT 'order' FROM vkkopf k JOIN projekt p USING (projnr) WHERE k.kdnr <> p.kdnr`,
    ],
    [
      'vendors and customers are the roles of one partner, with its name, tax number and website',
      `SELECT g.gpkz FROM gp g LEFT JOIN lief l USING (gpnr) LEFT JOIN kunde k USING (gpnr)
       WHERE g.kz_lief <> (l.liefnr IS NOT NULL) OR g.kz_kunde <> (k.kdnr IS NOT NULL)
         OR g.kz_lief AND (g.name1, g.firma, g.ust_id, g.www) IS DISTINCT FROM (l.name1, l.firma, l.ust_id, l.www)
         OR g.kz_kunde AND (g.name1, g.firma, g.ust_id, g.www) IS DISTINCT FROM (k.name1, k.firma, k.ust_id, k.www)
       UNION ALL SELECT 'no partner has both roles' WHERE NOT EXISTS (SELECT FROM gp WHERE kz_lief AND kz_kunde)
       UNION ALL SELECT k.suchbegr FROM kunde k JOIN kunde o ON o.kdnr = k.konzern JOIN gp g ON g.gpnr = k.gpnr WHERE g.konzern IS DISTINCT FROM o.gpnr`,
    ],
    [
      'the quotes that vendors sent for a request are listed as its offers',
      `SELECT q.belegnr FROM angkopf q JOIN angpos p USING (angnr) JOIN anfrage a USING (anfnr) JOIN lief l USING (liefnr)
       WHERE NOT EXISTS (SELECT FROM jsonb_to_recordset(a.angebote) AS o (pos integer, lf text, ang text, menge numeric, preis numeric, stand text)
         WHERE (o.pos, o.lf, o.ang, o.menge, o.preis) = (p.posnr, l.suchbegr, q.belegnr, p.menge, p.preis)
           AND o.stand = CASE q.status WHEN 'A' THEN 'Z' WHEN 'L' THEN 'N' ELSE 'O' END)
       UNION ALL SELECT o.ang FROM anfrage a, jsonb_to_recordset(a.angebote) AS o (ang text) LEFT JOIN angkopf q ON q.belegnr = o.ang
       WHERE o.ang IS NOT NULL AND q.anfnr IS DISTINCT FROM a.anfnr`,
    ],
    [
      'files are attached to documents about their subjects',
      `SELECT v.vtrkz FROM vertrag v, unnest(string_to_array(v.anhaenge, ' ')) n LEFT JOIN anhang a ON a.anhnr = n::bigint
       WHERE (a.bezug_art, a.bezug) IS DISTINCT FROM (v.partei_art, v.partei)
       UNION ALL SELECT m.meldkz FROM meldung m, unnest(string_to_array(m.anhaenge, ' ')) n LEFT JOIN anhang a ON a.anhnr = n::bigint
       WHERE (a.bezug_art, a.bezug) IS DISTINCT FROM ('G', m.anlnr) AND (a.bezug_art, a.bezug) IS DISTINCT FROM ('M', m.meldnr)
       UNION ALL SELECT g.anlkz FROM anlage g JOIN anhang a ON a.anhnr = g.bild WHERE (a.bezug_art, a.bezug, a.art) IS DISTINCT FROM ('G', g.anlnr, 'B')`,
    ],
  ])('%s', async (_, violations) => {
    expect(await company.rows(violations)).toEqual([]);
  });

  test('names that users choose from are unique', async () => {
    for (const [table, column] of [
      ['personal', 'rufname'],
      ['lief', 'name1'],
      ['artikel', 'bez'],
      ['platz', 'bez'],
      ['bank', 'bez'],
      ['gjahr', 'bez'],
      ['periode', 'bez'],
      ['budget', 'bez'],
      ['liegenschaft', 'bez'],
      ['flaeche', 'bez'],
      ['steuer', 'bez'],
      ['zahlbed', 'bez'],
      ['zahlart', 'bez'],
      ['anlage', 'bez'],
      ['zaehler', 'bez'],
      ['wplan', 'bez'],
    ]) {
      expect({
        table,
        twice: await company.value(`SELECT ${column} FROM ${table} GROUP BY 1 HAVING count(*) > 1`),
      }).toEqual({ table, twice: undefined });
    }
  });

  test('is the same on every machine', async () => {
    await company.seed({ schema: 'two' });
    for (const table of [
      'auftrag',
      'bestpos',
      'lief',
      'adresse',
      'personal',
      'rechpos',
      'zahlung',
      'gutschrift',
      'anlage',
      'zaehlstand',
      'aufschritt',
    ]) {
      const differing = await company.value(`SELECT count(*) FROM (TABLE erp.${table} EXCEPT TABLE two.${table}) AS d`);
      expect(Number(differing)).toBe(0);
    }
  });

  test('does not change if it exists', async () => {
    await company.rows(`UPDATE lief SET name1 = 'Changed by hand' WHERE liefnr = 1001`);
    const lines: string[] = [];
    await company.seed({ schema: 'erp', log: (line) => lines.push(line) });
    expect(lines).toEqual(['Sandbox company exists in schema erp']);
    expect(await company.value('SELECT name1 FROM lief WHERE liefnr = 1001')).toBe('Changed by hand');
  });

  test('never replaces other tables in the schema', async () => {
    await company.rows('CREATE SCHEMA precious; CREATE TABLE precious.data (x int)');
    await expect(company.seed({ schema: 'precious' })).rejects.toThrow('contains other tables');
    expect(await company.value(`SELECT count(*) FROM precious.data`)).toBe('0');
  });
});
