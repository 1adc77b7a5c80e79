-- Interfaces.

CREATE VIEW budgetpos_mit_waehrung AS SELECT p.*, b.waehr FROM budgetpos p JOIN budget b USING (budnr);

-- Positions of journal entries as rows, each identified by its number within the entry. betrag_eigen is in the currency of the
-- company: the total so far minus the total before it, both rounded, so that lines that balance in their own currency also
-- balance in it.
CREATE VIEW buchungszeile AS
SELECT b.buchnr, p.pos AS posnr, b.belegnr, b.status, b.buchdat, b.mand, b.pernr, b.zeichen, p.konto, p.soll, p.haben, p.betrag,
  round(p.bisher * p.kurs, 2) - round((p.bisher - p.betrag) * p.kurs, 2) AS betrag_eigen, coalesce(p.text, b.text) AS text, p.waehr,
  p.kurs, p.stkz, p.kd, p.lf, p.pers, p.proj, p.kst, p.schl, b.angelegt, b.changed_at
FROM buchung b CROSS JOIN LATERAL (
  SELECT z.*, sum(z.betrag) OVER (PARTITION BY z.waehr, z.kurs ORDER BY z.pos) AS bisher FROM (
    SELECT r.pos, r.konto, r.soll, r.haben, r.text, r.stkz, r.kd, r.lf, r.pers, r.proj, r.kst, r.schl, coalesce(r.waehr, b.waehr) AS waehr,
      coalesce(r.kurs, b.kurs) AS kurs, coalesce(zahl_aus(r.soll), 0) - coalesce(zahl_aus(r.haben), 0) AS betrag
    FROM jsonb_to_recordset(b.positionen) AS r (pos integer, konto text, soll text, haben text, text text, waehr text, kurs numeric, stkz text,
      kd text, lf text, pers text, proj text, kst text, schl text)) AS z) AS p;

-- Accounts with their balance: the amounts posted to them and to the accounts below them.
CREATE VIEW konto_mit_saldo AS
WITH RECURSIVE unter AS (
  SELECT kontoid AS oben, kontoid FROM konto UNION SELECT u.oben, k.kontoid FROM unter u JOIN konto k ON k.ueber = u.kontoid
), umsatz AS (
  SELECT kontoid, sum(betrag) AS betrag, sum(euro) AS euro, max(changed_at) AS am FROM kontoumsatz GROUP BY kontoid
), summe AS (
  SELECT u.oben, sum(CASE WHEN k.waehr = o.waehr THEN m.betrag ELSE m.euro / euro_wert(o.waehr, current_date) END) AS saldo, max(m.am) AS am
  FROM unter u JOIN umsatz m USING (kontoid) JOIN konto k USING (kontoid) JOIN konto o ON o.kontoid = u.oben GROUP BY u.oben)
SELECT k.kontoid, k.ktonr, k.bez, k.beschr, k.klasse, k.art, k.kopf, k.ueber, k.stufe, k.pfad, k.mand, k.kst, k.leiter, k.platznr, k.waehr, k.limit_betrag, k.eb_saldo,
  k.gueltig_ab, k.gueltig_bis, k.abgestimmt, k.gesperrt, k.bkonr, k.stnr, coalesce(round(s.saldo, 2), 0) AS saldo, k.angelegt, greatest(k.changed_at, s.am) AS changed_at
FROM konto k LEFT JOIN summe s ON s.oben = k.kontoid;
