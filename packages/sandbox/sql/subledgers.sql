-- Entries of the ledger for the documents that were posted before the seed: one for each kind, company, currency and month. With
-- these entries, the accounts of receivables, payables and stock have the balances of the open items and of the stock.

-- Goods that were received before the stock ledger began, or that have no stock record, were used immediately.
CREATE FUNCTION eingang_ohne_bewegung() RETURNS TABLE (tag date, mand text, waehr text, ktonr text, betrag numeric) LANGUAGE sql STABLE SET search_path FROM CURRENT AS $$
  SELECT e.tag, buchkreis(k.mand), bestandswaehrung(a.artid), v.ktonr, v.zeichen * w.betrag
  FROM (SELECT z.best_nr, z.best_pnr, (max(zeit_aus(h.zeit)) AT TIME ZONE 'UTC')::date AS tag, sum(CASE h.kz_retour WHEN 'J' THEN -z.menge ELSE z.menge END) AS menge,
      sum((SELECT coalesce(sum(b.menge), 0) FROM bewegung b WHERE b.urspr_art = 'E' AND b.urspr = z.wenr AND b.urspr_pos = z.posnr)) AS bewegt
    FROM wepos z JOIN wekopf h USING (wenr) WHERE h.status = 'B' AND z.best_nr IS NOT NULL GROUP BY z.best_nr, z.best_pnr) AS e
    JOIN bestkopf k ON k.bestnr = e.best_nr JOIN bestpos p ON p.bestnr = e.best_nr AND p.posnr = e.best_pnr JOIN artikel a ON a.artid = p.artid,
    LATERAL (SELECT bestellwert(e.best_nr, e.best_pnr, e.menge) - bestellwert(e.best_nr, e.best_pnr, e.bewegt)) AS w (betrag),
    LATERAL (VALUES (coalesce(a.aufwand_kto, '5030'), 1), ('1630', -1)) AS v (ktonr, zeichen)
  WHERE a.kz_bestand IS DISTINCT FROM 'N' AND w.betrag <> 0
$$;

INSERT INTO buchung (buchnr, belegnr, beschr, buchdat, status, waehr, mand, text, kz_storno, pernr, gebucht_am, positionen, soll_ct, haben_ct, angelegt, changed_at)
WITH stoff AS (
  SELECT r.belegart AS art, tag_aus(r.rechdat) AS tag, s.* FROM rechkopf r, rechnung_satz(r) AS s
  UNION ALL SELECT 'Z' || z.richtung, tag_aus(z.buchdat), s.* FROM zahlung z, zahlung_satz(z) AS s
  UNION ALL SELECT 'G' || g.belegart, tag_aus(g.gutdat), s.* FROM gutschrift g, gutschrift_satz(g) AS s
  UNION ALL SELECT 'W', e.* FROM eingang_ohne_bewegung() AS e
  UNION ALL SELECT 'L', (b.zeit AT TIME ZONE 'UTC')::date, s.* FROM bewegung b, bewegung_satz(b) AS s)
SELECT 8500000 + lfd, 'JS-' || 10000 + lfd, NULL, tag_text(tag), 'G', waehr, mand, CASE art WHEN 'D' THEN 'Invoices to customers' WHEN 'K' THEN 'Bills of vendors'
    WHEN 'ZE' THEN 'Payments received' WHEN 'ZA' THEN 'Payments made' WHEN 'GD' THEN 'Credit notes to customers' WHEN 'GK' THEN 'Credit notes of vendors'
    WHEN 'W' THEN 'Goods used on receipt' ELSE 'Stock movements' END,
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
    FROM stoff GROUP BY art, mand, waehr, date_trunc('month', tag), ktonr HAVING sum(betrag) <> 0) AS zeile
  GROUP BY art, mand, waehr, monat) AS e;

INSERT INTO kontoumsatz (buchnr, kontoid, betrag, euro, changed_at) SELECT b.buchnr, u.kontoid, u.betrag, u.euro, b.changed_at FROM buchung b, umsatz_von(b) AS u;

UPDATE konto k SET eb_saldo = betrag_text(100 * coalesce((
  SELECT sum(u.betrag) FROM kontoumsatz u JOIN buchung b USING (buchnr) WHERE u.kontoid = k.kontoid AND b.belegnr LIKE 'OB-%'), 0)) WHERE k.kopf = 'N';
UPDATE bankkto k SET saldo_ct = 100 * coalesce((SELECT sum(betrag) FROM kontoumsatz WHERE kontoid = k.konto), 0) WHERE k.eigner_art = 'M' AND k.konto IS NOT NULL;

DROP FUNCTION eingang_ohne_bewegung;
