-- Entries of the ledger for the posted documents of the other areas: one for each kind, company, currency and month. By them, the
-- accounts of receivables, payables and stock have the balances of the open items and of the stock.

-- What posted documents debit (above zero) or credit to each account, in their currency.
CREATE VIEW buchungsstoff AS
WITH rechnung AS (
  SELECT r.rechnr, r.belegart, r.mand, r.waehr, r.kz_brutto, k.ktonr, tag_aus(r.rechdat) AS tag, r.brutto_ct / 100.0 AS brutto, r.ust_ct / 100.0 AS ust,
    CASE r.belegart WHEN 'D' THEN 1 ELSE -1 END * CASE r.vorgang WHEN 'G' THEN -1 ELSE 1 END AS seite
  FROM rechkopf r JOIN konto k ON k.kontoid = r.konto WHERE r.status IN ('F', 'G', 'T', 'U', 'B')
), position AS (
  SELECT r.rechnr, sum(p.betrag - CASE r.kz_brutto WHEN 'J' THEN p.ust ELSE 0 END) AS netto, CASE
      WHEN r.belegart = 'D' THEN coalesce(k.ktonr, '4030') WHEN p.best_pos IS NOT NULL AND a.bestand_kto IS NOT NULL THEN '1630' ELSE coalesce(k.ktonr, '5030') END AS ktonr
  FROM rechnung r JOIN rechpos p USING (rechnr) LEFT JOIN artikel a USING (artid) LEFT JOIN konto k ON k.kontoid = p.konto GROUP BY r.rechnr, 3
), zahlungen AS (
  SELECT z.zahlnr, 'Z' || z.richtung AS art, z.mand, z.waehr, tag_aus(z.buchdat) AS tag, CASE z.richtung WHEN 'E' THEN 1 ELSE -1 END AS seite, b.ktonr AS bank,
    z.betrag_ct / 100.0 AS betrag, z.rest_ct / 100.0 AS rest, coalesce(c.debitor, l.kreditor) AS partei
  FROM zahlung z JOIN konto b ON b.kontoid = z.konto LEFT JOIN kunde c USING (kdnr) LEFT JOIN lief l USING (liefnr) WHERE z.status IN ('G', 'B')
), ausgeglichen AS (
  SELECT a.nr AS zahlnr, k.ktonr, sum(a.betrag_ct) / 100.0 AS betrag FROM ausgleich a JOIN rechkopf r USING (rechnr) JOIN konto k ON k.kontoid = r.konto
  WHERE a.art = 'Z' GROUP BY a.nr, k.ktonr
), gutgeschrieben AS (
  SELECT g.belegart, g.mand, g.waehr, tag_aus(g.gutdat) AS tag, k.ktonr, g.brutto_ct / 100.0 AS brutto, g.ust_ct / 100.0 AS ust, CASE g.belegart WHEN 'D' THEN -1 ELSE 1 END AS seite
  FROM gutschrift g JOIN konto k ON k.kontoid = g.konto WHERE g.status IN ('G', 'T', 'A')
), bewegt AS (
  SELECT p.mand, b.waehr, b.zeit::date AS tag, b.summe_ct / 100 AS wert, CASE WHEN b.zeichen = 'Conversion' THEN '2940' WHEN b.art = 'ZU' THEN '1630'
    WHEN b.art IN ('AB', 'VB', 'RK') THEN '5030' WHEN b.art = 'PR' THEN '5010' WHEN b.art IN ('UA', 'UZ') THEN '1170' ELSE '5070' END AS gegen
  FROM bewegung b JOIN platz p USING (platznr) WHERE NOT EXISTS (SELECT FROM bestand s WHERE s.zustand = 'K' AND (s.artid, s.platznr, s.fachnr) = (b.artid, b.platznr, b.fachnr)
    AND (s.charge, s.seriennr) IS NOT DISTINCT FROM (b.charge, b.seriennr))
)
SELECT belegart AS art, mand, waehr, tag, ktonr, seite * brutto AS betrag FROM rechnung
UNION ALL SELECT belegart, mand, waehr, tag, CASE belegart WHEN 'D' THEN '1710' ELSE '1250' END, -seite * ust FROM rechnung
UNION ALL SELECT belegart, mand, waehr, tag, p.ktonr, -seite * netto FROM rechnung JOIN position p USING (rechnr)
UNION ALL SELECT belegart, mand, waehr, tag, CASE belegart WHEN 'D' THEN '4070' ELSE '5050' END,
  -seite * (brutto - ust - (SELECT coalesce(sum(netto), 0) FROM position p WHERE p.rechnr = r.rechnr)) FROM rechnung r
UNION ALL SELECT art, mand, waehr, tag, bank, seite * betrag FROM zahlungen
UNION ALL SELECT art, mand, waehr, tag, ktonr, -seite * a.betrag FROM zahlungen JOIN ausgeglichen a USING (zahlnr)
UNION ALL SELECT art, mand, waehr, tag, partei, -seite * rest FROM zahlungen
UNION ALL SELECT art, mand, waehr, tag, CASE art WHEN 'ZE' THEN '1720' ELSE '1320' END,
  -seite * (betrag - rest - (SELECT coalesce(sum(a.betrag), 0) FROM ausgeglichen a WHERE a.zahlnr = z.zahlnr)) FROM zahlungen z
UNION ALL SELECT 'G' || belegart, mand, waehr, tag, ktonr, seite * brutto FROM gutgeschrieben
UNION ALL SELECT 'G' || belegart, mand, waehr, tag, CASE belegart WHEN 'D' THEN '1710' ELSE '1250' END, -seite * ust FROM gutgeschrieben
UNION ALL SELECT 'G' || belegart, mand, waehr, tag, CASE belegart WHEN 'D' THEN '4070' ELSE '5060' END, -seite * (brutto - ust) FROM gutgeschrieben
UNION ALL SELECT 'L', mand, waehr, tag, '1130', wert FROM bewegt
UNION ALL SELECT 'L', mand, waehr, tag, gegen, -wert FROM bewegt;

INSERT INTO buchung (buchnr, belegnr, beschr, buchdat, status, waehr, mand, text, kz_storno, pernr, gebucht_am, positionen, soll_ct, haben_ct, angelegt, changed_at)
SELECT 8500000 + lfd, 'JS-' || 10000 + lfd, NULL, tag_text(tag), 'G', waehr, mand, CASE art WHEN 'D' THEN 'Invoices to customers' WHEN 'K' THEN 'Bills of vendors'
    WHEN 'ZE' THEN 'Payments received' WHEN 'ZA' THEN 'Payments made' WHEN 'GD' THEN 'Credit notes to customers' WHEN 'GK' THEN 'Credit notes of vendors' ELSE 'Stock movements' END,
  'N', (SELECT pernr FROM mandant m JOIN gjkal USING (kalkz) JOIN gjahr USING (kalnr) JOIN periode p USING (gjnr)
    WHERE m.mand = e.mand AND tag_text(tag) BETWEEN p.von AND p.bis AND p.sonder = 'N' ORDER BY p.lfd LIMIT 1),
  beginn_des_tages(tag), positionen, summe_ct, summe_ct, tag_text(tag), beginn_des_tages(tag)
FROM (
  SELECT art, mand, waehr, max(tag) AS tag, row_number() OVER (ORDER BY max(tag), art, mand, waehr) AS lfd, sum(greatest(betrag, 0)) * 100 AS summe_ct,
    jsonb_agg(jsonb_build_object('pos', pos, 'konto', ktonr, 'waehr', waehr, 'soll', CASE WHEN betrag > 0 THEN betrag_text(betrag * 100) END,
      'haben', CASE WHEN betrag < 0 THEN betrag_text(-betrag * 100) END) ORDER BY pos) AS positionen
  FROM (
    SELECT art, mand, waehr, date_trunc('month', tag) AS monat, ktonr, max(tag) AS tag, sum(betrag) AS betrag,
      row_number() OVER (PARTITION BY art, mand, waehr, date_trunc('month', tag) ORDER BY ktonr) AS pos
    FROM buchungsstoff GROUP BY art, mand, waehr, date_trunc('month', tag), ktonr HAVING sum(betrag) <> 0) AS zeile
  GROUP BY art, mand, waehr, monat) AS e;
