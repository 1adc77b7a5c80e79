import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testDatabase } from '../test/database.ts';
import { seedSandbox } from './seed.ts';

let database: Awaited<ReturnType<typeof testDatabase>>;
let client: pg.Client;

beforeAll(async () => {
  database = await testDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await seedSandbox({ url: database.url, schema: 'one' });
});

afterAll(async () => {
  await client.end();
  await database.stop();
});

const value = async (sql: string) => Object.values((await client.query(sql)).rows[0] ?? {})[0];

describe('the sandbox company', () => {
  test.each([
    ['lief', 2_000, 2_000],
    ['kunde', 800, 800],
    ['auftrag', 20_000, 20_000],
    ['bestkopf', 1_500, 1_500],
    ['bestpos', 6_500, 8_500],
    ['artikel', 1_200, 1_200],
    ['adresse', 2_800, 3_200],
    ['konto', 130, 170],
    ['platz', 180, 220],
    ['werk', 12, 12],
    ['mandant', 4, 4],
    ['abteilung', 25, 25],
    ['personal', 300, 300],
    ['land', 55, 65],
    ['waehrung', 28, 34],
    ['sprache', 38, 44],
    ['ort', 190, 220],
    ['gjkal', 4, 4],
    ['status_def', 40, 400],
    ['schluessel', 85, 400],
    ['arbplatz', 54, 54],
    ['arbplan', 101, 101],
    ['plvorgang', 650, 800],
    ['stueckliste', 119, 119],
    ['stlpos', 1_100, 1_350],
    ['fauf', 250, 250],
    ['favorgang', 1_600, 2_000],
    ['aufmat', 2_500, 3_200],
    ['aufres', 700, 1_000],
    ['kapazitaet', 100, 120],
    ['chance', 160, 160],
    ['angkopf', 320, 320],
    ['angpos', 800, 1_200],
    ['vkkopf', 600, 600],
    ['vkpos', 1_500, 2_200],
    ['lieferung', 450, 700],
    ['lieferpos', 1_000, 1_600],
    ['komm', 300, 420],
    ['retoure', 120, 120],
    ['retpos', 130, 200],
    ['kontakt', 1_200, 1_600],
    ['benutzer', 110, 150],
    ['pruefliste', 92, 92],
    ['pruefpunkt', 300, 450],
    ['wiederholung', 50, 50],
    ['termin', 240, 240],
    ['notiz', 400, 650],
    ['anhang', 320, 320],
    ['einheit', 15, 20],
    ['bank', 60, 60],
    ['bankkto', 300, 350],
    ['gjahr', 24, 24],
    ['periode', 312, 312],
    ['budget', 100, 100],
    ['budgetpos', 1_200, 2_200],
    ['buchung', 630, 630],
    ['kurs', 744, 744],
    ['liegenschaft', 60, 60],
    ['flaeche', 216, 216],
    ['mietvertrag', 216, 216],
    ['mietantrag', 288, 288],
    ['rechkopf', 500, 700],
    ['rechpos', 1_800, 3_000],
    ['zahlung', 400, 650],
    ['gutschrift', 50, 100],
    ['ausgleich', 400, 800],
    ['steuer', 30, 40],
    ['zahlbed', 12, 12],
    ['zahlart', 8, 8],
    ['anlage', 500, 560],
    ['anlzuord', 160, 160],
    ['zaehler', 90, 200],
    ['zaehlstand', 900, 2_400],
    ['wplan', 50, 120],
    ['wausloeser', 60, 200],
    ['meldung', 300, 650],
    ['aufschritt', 1_500, 2_500],
    ['alarm', 280, 320],
  ])('%s has %i to %i rows', async (table, low, high) => {
    const count = Number(await value(`SELECT count(*) FROM one.${table}`));
    expect(count).toBeGreaterThanOrEqual(low);
    expect(count).toBeLessThanOrEqual(high);
  });

  test('addresses belong to somebody who exists', async () => {
    const strays = await value(`SELECT count(*) FROM one.adresse a WHERE NOT (CASE bezug_art
      WHEN 'L' THEN EXISTS (SELECT FROM one.lief WHERE liefnr = bezug) WHEN 'K' THEN EXISTS (SELECT FROM one.kunde WHERE kdnr = bezug)
      WHEN 'P' THEN EXISTS (SELECT FROM one.personal WHERE persnr = bezug) WHEN 'W' THEN EXISTS (SELECT FROM one.werk WHERE werknr = bezug)
      WHEN 'M' THEN EXISTS (SELECT FROM one.mandant WHERE mandnr = bezug) ELSE false END)`);
    expect(Number(strays)).toBe(0);
  });

  test('short keys, statuses and lists of codes lead somewhere', async () => {
    const strays = await client.query(`
      SELECT 'status' AS what FROM one.auftrag a WHERE NOT EXISTS (SELECT FROM one.status_def WHERE bereich = 'AUF' AND status = a.status)
      UNION ALL SELECT 'order' FROM one.bestkopf k WHERE NOT EXISTS (SELECT FROM one.status_def WHERE bereich = 'BES' AND status = k.status::text)
      UNION ALL SELECT 'line' FROM one.bestpos p WHERE NOT EXISTS (SELECT FROM one.status_def WHERE bereich = 'POS' AND status = p.status::text)
      UNION ALL SELECT 'production' FROM one.fauf f WHERE NOT EXISTS (SELECT FROM one.status_def WHERE bereich = 'FAU' AND status = f.status)
      UNION ALL SELECT 'country' FROM one.sprache s, unnest(string_to_array(laender, ' ')) c WHERE NOT EXISTS (SELECT FROM one.land WHERE lkz = c)
      UNION ALL SELECT 'parent' FROM one.schluessel s WHERE ueber IS NOT NULL AND NOT EXISTS (SELECT FROM one.schluessel WHERE wert = s.ueber)
      UNION ALL SELECT 'entry' FROM one.buchung b WHERE NOT EXISTS (SELECT FROM one.status_def WHERE bereich = 'BUC' AND status = b.status::text)
      UNION ALL SELECT 'budget' FROM one.budget b WHERE NOT EXISTS (SELECT FROM one.status_def WHERE bereich = 'BUD' AND status = b.status::text)
      UNION ALL SELECT 'lease' FROM one.mietvertrag v WHERE NOT EXISTS (SELECT FROM one.status_def WHERE bereich = 'MIV' AND status = v.status::text)
      UNION ALL SELECT 'application' FROM one.mietantrag a WHERE NOT EXISTS (SELECT FROM one.status_def WHERE bereich = 'MIA' AND status = a.status::text)
      UNION ALL SELECT 'class' FROM one.bestkopf k, unnest(string_to_array(schluessel, ' ')) c WHERE NOT EXISTS (SELECT FROM one.schluessel WHERE wert = c)`);
    expect(strays.rows).toEqual([]);
  });

  test('amounts of an order are those of its lines', async () => {
    const wrong =
      await value(`SELECT count(*) FROM one.bestkopf k JOIN LATERAL (SELECT sum(netto) * 100 AS netto FROM one.bestpos p WHERE p.bestnr = k.bestnr) s
      ON true WHERE abs(k.netto_ct - s.netto) > 1`);
    expect(Number(wrong)).toBe(0);
  });

  test('production orders have made what their operations report, and their material and resources belong to orders', async () => {
    const wrong = await client.query(`
      SELECT 'quantity' AS what, faufnr FROM one.fauf f WHERE gut_mg <> (SELECT coalesce(gut_mg, 0) FROM one.favorgang v WHERE v.faufnr = f.faufnr ORDER BY vornr DESC LIMIT 1)
      UNION ALL SELECT 'future', faufnr FROM one.favorgang WHERE ist_von > '2026-11-20 06:00Z' OR ist_bis > '2026-11-20 06:00Z'
      UNION ALL SELECT 'unfinished', faufnr FROM one.favorgang v JOIN one.fauf f USING (faufnr) WHERE f.status IN ('60', '80') AND v.status <> 'F'
      UNION ALL SELECT 'order', bezug FROM (SELECT bezug_art, bezug FROM one.aufmat UNION SELECT bezug_art, bezug FROM one.aufres) b WHERE NOT CASE bezug_art
        WHEN 'F' THEN EXISTS (SELECT FROM one.fauf WHERE faufnr = bezug) ELSE EXISTS (SELECT FROM one.auftrag WHERE aufid = bezug) END
      UNION ALL SELECT 'labor', aufid FROM one.auftrag a JOIN one.aufres r ON r.bezug_art = 'A' AND r.bezug = aufid AND r.art = 'L'
        WHERE abs(r.kosten_ct - a.lohn_ct) > a.lohn_ct * 0.01
      UNION ALL SELECT 'purchase', matnr FROM one.aufmat m WHERE bestpos IS NOT NULL AND NOT EXISTS (
        SELECT FROM one.bestpos p WHERE p.bestnr || '/' || p.posnr = m.bestpos AND p.artid = m.artid)`);
    expect(wrong.rows).toEqual([]);
  });

  test('journal entries balance, and budgets are the sum of their lines', async () => {
    const entries = await value(`SELECT count(*) FROM one.buchung b JOIN LATERAL (
      SELECT sum(one.betrag_aus(p ->> 'soll')) * 100 AS debit, sum(one.betrag_aus(p ->> 'haben')) * 100 AS credit
      FROM jsonb_array_elements(b.positionen) p) s ON true WHERE s.debit <> b.soll_ct OR s.credit <> b.haben_ct OR s.debit <> s.credit`);
    expect(Number(entries)).toBe(0);
    const budgets = await value(`SELECT count(*) FROM one.budget b JOIN LATERAL (
      SELECT sum(betrag) * 100 AS planned, sum(ist) * 100 AS spent, sum(obligo) * 100 AS committed FROM one.budgetpos p
      WHERE p.budnr = b.budnr) s ON true WHERE (s.planned, s.spent, s.committed) <> (b.summe_ct, b.ist_ct, b.obligo_ct)`);
    expect(Number(budgets)).toBe(0);
  });

  test('what the ledger and the real estate hold obeys the rules for what is new', async () => {
    for (const table of ['bankkto', 'gjahr', 'periode', 'budgetpos', 'liegenschaft', 'flaeche']) {
      await client.query(`BEGIN; UPDATE one.${table} SET angelegt = angelegt; ROLLBACK`);
    }
    const early = await value(
      `SELECT count(*) FROM one.mietvertrag WHERE to_date(ende, 'DD.MM.YYYY') < to_date(beginn, 'DD.MM.YYYY')`,
    );
    expect(Number(early)).toBe(0);
    const strays = await value(`SELECT count(*) FROM one.buchung b JOIN one.periode p USING (pernr)
      WHERE b.buchdat NOT BETWEEN p.von AND p.bis OR p.sonder = 'J'`);
    expect(Number(strays)).toBe(0);
  });

  test('amounts of an invoice are those of its lines and of what settles it', async () => {
    const wrong = await client.query(`SELECT k.belegnr FROM one.rechkopf k
      JOIN LATERAL (SELECT sum(betrag) * 100 AS netto, sum(ust) * 100 AS ust FROM one.rechpos p WHERE p.rechnr = k.rechnr) s ON true
      LEFT JOIN LATERAL (SELECT coalesce(sum(betrag_ct), 0) AS paid, max(am) FILTER (WHERE art = 'Z') AS last FROM one.ausgleich a WHERE a.rechnr = k.rechnr) z ON true
      WHERE k.netto_ct <> s.netto OR k.ust_ct <> s.ust OR k.brutto_ct <> k.netto_ct + k.ust_ct + coalesce(k.fracht_ct, 0) - coalesce(k.rabatt_ct, 0) - round(k.netto_ct * coalesce(k.rabatt_proz, 0) / 100)
        OR k.bezahlt_ct <> z.paid
        OR k.offen_ct <> (CASE WHEN k.status IN ('S', 'X') THEN 0 ELSE k.brutto_ct - z.paid END) OR k.letzte_zahlung IS DISTINCT FROM z.last
        OR (k.status = 'B') <> (z.paid = k.brutto_ct) OR (k.status = 'T') <> (z.paid > 0 AND z.paid < k.brutto_ct)`);
    expect(wrong.rows).toEqual([]);
  });

  test('what payments and credit notes say they settle is what the invoices know', async () => {
    const wrong = await client.query(`
      WITH said AS (
        SELECT 'Z' AS art, zahlnr AS nr, jsonb_array_elements(zuordnung) AS z FROM one.zahlung
        UNION ALL SELECT 'G', gutnr, jsonb_array_elements(zuordnung) FROM one.gutschrift)
      SELECT s.art, s.nr, k.rechnr, round(replace(z ->> 'betrag', ',', '.')::numeric * 100) AS betrag_ct, z ->> 'am' AS am
      FROM said s JOIN one.rechkopf k ON k.belegnr = z ->> 'beleg' EXCEPT SELECT art, nr, rechnr, betrag_ct, am FROM one.ausgleich`);
    expect(wrong.rows).toEqual([]);
  });

  test('requests and orders name each other, and readings, steps and alarms fit their assets', async () => {
    const wrong = await client.query(`
      SELECT 'request' AS what FROM one.meldung m JOIN one.auftrag a USING (meldnr) WHERE m.aufid IS DISTINCT FROM a.aufid OR m.anlnr <> a.anlnr
      UNION ALL SELECT 'converted' FROM one.meldung WHERE (status = '40') <> (aufid IS NOT NULL)
      UNION ALL SELECT 'plan' FROM one.auftrag a JOIN one.wplan p USING (wpnr)
        WHERE a.art <> p.art OR a.anlnr::text <> ALL (string_to_array(p.anlagen, ' '))
      UNION ALL SELECT 'due' FROM one.anlage a WHERE a.wartung_am <> (SELECT to_char(min(faellig_am) AT TIME ZONE 'UTC', 'YYYYMMDD') FROM one.wplan
        WHERE a.anlnr::text = ANY (string_to_array(anlagen, ' ')) OR typ_anl = a.vorlage)
      UNION ALL SELECT 'next' FROM one.wplan p WHERE faellig_am <> (SELECT min(naechste_am) FROM one.wausloeser WHERE wpnr = p.wpnr)
      UNION ALL SELECT 'reading' FROM one.zaehlstand s JOIN one.zaehler z USING (zaehlnr) WHERE s.anlnr <> z.anlnr OR z.art = 'L' AND s.delta < 0
      UNION ALL SELECT 'newest' FROM one.zaehler z WHERE stand <> (SELECT wert FROM one.zaehlstand s WHERE s.zaehlnr = z.zaehlnr ORDER BY gelesen DESC LIMIT 1)
      UNION ALL SELECT 'step' FROM one.aufschritt s JOIN one.auftrag a USING (aufid)
        WHERE s.anlnr <> a.anlnr OR s.kz_pflicht = 'J' AND (a.status IN ('40', '50')) <> (s.status = 'E') AND a.status <> '20'
      UNION ALL SELECT 'alarm' FROM one.alarm l JOIN one.auftrag a USING (aufid) WHERE l.anlnr <> a.anlnr OR l.zeit > a.gemeldet
      UNION ALL SELECT 'trigger' FROM one.wausloeser WHERE art IN ('M', 'C') AND zaehlnr IS NULL`);
    expect(wrong.rows).toEqual([]);
  });

  test('names that people choose from fit one record', async () => {
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
        twice: await value(`SELECT ${column} FROM one.${table} GROUP BY 1 HAVING count(*) > 1`),
      }).toEqual({ table, twice: undefined });
    }
  });

  test('is the same on every machine', async () => {
    await seedSandbox({ url: database.url, schema: 'two' });
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
      const differing = await value(`SELECT count(*) FROM (TABLE one.${table} EXCEPT TABLE two.${table}) AS d`);
      expect(Number(differing)).toBe(0);
    }
  });

  test('is left as it is when it is there already', async () => {
    await client.query(`UPDATE one.lief SET name1 = 'Changed by hand' WHERE liefnr = 1001`);
    const lines: string[] = [];
    await seedSandbox({ url: database.url, schema: 'one', log: (line) => lines.push(line) });
    expect(lines).toEqual(['Sandbox company is present in schema one']);
    expect(await value('SELECT name1 FROM one.lief WHERE liefnr = 1001')).toBe('Changed by hand');
  });

  test('never replaces what somebody else keeps in the schema', async () => {
    await client.query('CREATE SCHEMA precious; CREATE TABLE precious.data (x int)');
    await expect(seedSandbox({ url: database.url, schema: 'precious' })).rejects.toThrow('holds something else');
    expect(await value(`SELECT count(*) FROM precious.data`)).toBe('0');
  });
});
