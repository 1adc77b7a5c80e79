import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CompanyDatabase, startCompanyDatabase, WORK_ORDERS } from './company-database.ts';

let company: CompanyDatabase;
beforeAll(async () => {
  company = await startCompanyDatabase();
});
afterAll(() => company.stop());

describe.each(['2031-02-28', '2032-02-29', '2030-01-01'])('a company that is seeded on %s', (today) => {
  const schema = `seeded_${today.replaceAll('-', '_')}`;
  const day = today.replaceAll('-', '');
  const values = async (sql: string) => (await company.rows(sql)).flatMap((row) => Object.values(row));

  beforeAll(async () => {
    await company.seed({ schema, today: new Date(`${today}T12:00:00Z`), workOrders: WORK_ORDERS });
    await company.rows(`SET search_path TO ${schema}`);
  });

  test.each(['the day of the seed', 'a day two years later'])('posts %s in every organization', async (which) => {
    const posted = which === 'the day of the seed' ? day : String(Number(day) + 20_000).replace('0229', '0228');
    const periods = `SELECT m.mand, p.zustand FROM mandant m LEFT JOIN periode p ON p.pernr = periode_am(m.mand, '${posted}')`;
    for (const { mand, zustand } of await company.rows(periods))
      expect({ mand, zustand }).toEqual({ mand, zustand: 'O' });
    const lines = `'[{"konto":"6550","soll":"10,00","kst":"2200"},{"konto":"1020","haben":"10,00"}]'`;
    const entry = `INSERT INTO buchung (buchdat, status, waehr, mand, positionen) SELECT '${posted}', 'G', 'EUR', mand, ${lines} FROM mandant`;
    expect(await values(`${entry} RETURNING buchdat`)).toEqual(Array(4).fill(posted));
  });

  test('has activity up to that day, and no activity after it', async () => {
    const latest = await company.rows(`SELECT
      (SELECT max(gemeldet) FROM meldung) AS request, (SELECT max(erfasst) FROM auftrag) AS "workOrder",
      (SELECT max(tag_aus(bestdat)) FROM bestkopf) AS purchase, (SELECT max(tag_aus(bestdat)) FROM vkkopf) AS sale,
      (SELECT max(tag_aus(rechdat)) FROM rechkopf) AS invoice, (SELECT max(zeit) FROM bewegung) AS movement,
      (SELECT max(buchdat) FROM buchung WHERE status <> 'G') AS entry, (SELECT max(tag_aus(ab)) FROM kurs) AS rate`);
    for (const [what, newest] of Object.entries(latest[0] ?? {})) {
      const days = await company.value(`SELECT date '${today}' - to_date('${asDay(newest)}', 'YYYYMMDD')`);
      expect({ what, isRecent: Number(days) >= 0 && Number(days) < 32 }).toEqual({ what, isRecent: true });
    }
  });

  test('employs people of working age, and has budgets for the next year', async () => {
    const ages = await values(
      `SELECT DISTINCT extract(year FROM age(date '${today}', to_date(geb_dat, 'YYYYMMDD'))) FROM personal WHERE geb_dat <> '00000000'`,
    );
    expect(Math.min(...ages.map(Number))).toBeGreaterThanOrEqual(18);
    expect(Math.max(...ages.map(Number))).toBeLessThanOrEqual(67);
    const year = Number(today.slice(0, 4));
    const budgets =
      await company.rows(`SELECT right(bez, 4)::int AS year, string_agg(DISTINCT status, '' ORDER BY status) AS states
      FROM budget GROUP BY 1 ORDER BY 1`);
    expect(budgets).toEqual([
      { year: year - 2, states: 'C' },
      { year: year - 1, states: 'C' },
      { year, states: 'A' },
      { year: year + 1, states: expect.stringMatching(/^[EG]+$/) },
    ]);
  });

  test('has no entries in the future', async () => {
    const columns = await company.rows(`SELECT table_name AS name FROM information_schema.columns
      WHERE table_schema = '${schema}' AND column_name = 'angelegt'`);
    for (const { name } of columns) {
      expect({
        name,
        newest: await company.value(`SELECT max(angelegt) FROM ${name} WHERE angelegt > '${day}'`),
      }).toEqual({
        name,
        newest: null,
      });
    }
  });
});

/** YYYYMMDD of a day or time, as PostgreSQL returns it or as text. */
function asDay(value: unknown): string {
  const text =
    value instanceof Date
      ? new Date(value.getTime() - value.getTimezoneOffset() * 60_000).toISOString()
      : String(value);
  return text.replaceAll('-', '').slice(0, 8);
}
