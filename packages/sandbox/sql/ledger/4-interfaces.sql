-- Interfaces.

CREATE VIEW budgetpos_mit_waehrung AS SELECT p.*, b.waehr FROM budgetpos p JOIN budget b USING (budnr);

-- Positions of journal entries as rows, each identified by its number within the entry.
CREATE VIEW buchungszeile AS
SELECT b.buchnr, p.pos AS posnr, b.belegnr, b.status, b.buchdat, b.mand, b.pernr, b.zeichen, p.konto, p.soll, p.haben,
  coalesce(zahl_aus(p.soll), 0) - coalesce(zahl_aus(p.haben), 0) AS betrag, coalesce(p.text, b.text) AS text, coalesce(p.waehr, b.waehr) AS waehr,
  coalesce(p.kurs, b.kurs) AS kurs, p.stkz, p.kd, p.lf, p.pers, p.proj, p.kst, p.schl, b.angelegt, b.changed_at
FROM buchung b, jsonb_to_recordset(b.positionen) AS p (pos integer, konto text, soll text, haben text, text text, waehr text, kurs numeric, stkz text, kd text,
  lf text, pers text, proj text, kst text, schl text);
