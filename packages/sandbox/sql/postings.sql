-- Amounts that posted documents debit (above zero) or credit to the accounts of the general ledger, by company and currency. The
-- lines of a document are balanced in each currency.

CREATE TYPE buchsatz AS (mand text, waehr text, ktonr text, betrag numeric);

-- Documents without a company are in the books of the group.
CREATE FUNCTION buchkreis(p_mand text) RETURNS text LANGUAGE sql IMMUTABLE RETURN coalesce(p_mand, '001');
CREATE FUNCTION buchwaehrung(p_mand text) RETURNS text LANGUAGE sql STABLE RETURN coalesce((SELECT waehr FROM mandant WHERE mand = p_mand), 'EUR');

-- Account of receivables or payables of a customer or vendor, and of an invoice or credit note, which can name a different
-- account.
CREATE FUNCTION partei_konto(p_kdnr bigint, p_liefnr bigint) RETURNS text LANGUAGE sql STABLE RETURN CASE
  WHEN p_kdnr IS NOT NULL THEN coalesce((SELECT debitor FROM kunde WHERE kdnr = p_kdnr), '1210')
  ELSE coalesce((SELECT kreditor FROM lief WHERE liefnr = p_liefnr), '1610') END;
CREATE FUNCTION abstimmkonto(p_konto bigint, p_belegart text, p_kdnr bigint, p_liefnr bigint) RETURNS text LANGUAGE sql STABLE RETURN
  coalesce((SELECT ktonr FROM konto WHERE kontoid = p_konto), partei_konto(CASE p_belegart WHEN 'D' THEN p_kdnr END, p_liefnr));

-- Whether an account is that of receivables (D) or payables (K); null for any other.
CREATE FUNCTION kontoseite(p_ktonr text) RETURNS text LANGUAGE sql STABLE RETURN CASE
  WHEN p_ktonr = '1210' OR EXISTS (SELECT FROM kunde WHERE debitor = p_ktonr) THEN 'D'
  WHEN p_ktonr = '1610' OR EXISTS (SELECT FROM lief WHERE kreditor = p_ktonr) THEN 'K' END;

-- Goods received, not invoiced. Receipts credit the account 1630 with the net value of the order, in the currency of the stock
-- and at the rate of the order; bills debit it with the same value. Differences from the cost of the stock and from the price
-- of the bill are posted to price differences (5060), so that the account is cleared when what was received is billed.
CREATE INDEX bewegung_urspr ON bewegung (urspr_art, urspr, urspr_pos);
CREATE INDEX wepos_best ON wepos (best_nr, best_pnr);

CREATE FUNCTION bestandswaehrung(p_artid bigint) RETURNS text LANGUAGE sql STABLE RETURN coalesce((SELECT waehr FROM artikel WHERE artid = p_artid), 'EUR');

-- Net value of a quantity of an order position, in the unit of the item.
CREATE FUNCTION bestellwert(p_bestnr bigint, p_posnr integer, p_menge numeric) RETURNS numeric LANGUAGE sql STABLE SET search_path FROM CURRENT AS $$
  SELECT round((p.netto - CASE k.kz_brutto WHEN 'J' THEN p.ust ELSE 0 END) * p_menge / (p.menge * mengenfaktor(p.artid, p.eh))
    * euro_wert(k.waehr, tag_aus(k.bestdat)) / euro_wert(bestandswaehrung(p.artid), tag_aus(k.bestdat)), 2)
  FROM bestkopf k JOIN bestpos p USING (bestnr) WHERE p.bestnr = p_bestnr AND p.posnr = p_posnr AND p.menge <> 0
$$;

-- Value of the goods of a receipt that a movement adds or takes back. Parts of an order position add up to its value.
CREATE FUNCTION eingangswert(b bewegung) RETURNS numeric LANGUAGE sql STABLE SET search_path FROM CURRENT AS $$
  SELECT coalesce(bestellwert(z.best_nr, z.best_pnr, davor + b.menge) - bestellwert(z.best_nr, z.best_pnr, davor),
    round(z.preis * b.menge / mengenfaktor(z.artid, z.eh) * euro_wert(h.waehr, tag) / euro_wert(bestandswaehrung(z.artid), tag), 2))
  FROM wepos z JOIN wekopf h USING (wenr), LATERAL (SELECT (b.zeit AT TIME ZONE 'UTC')::date AS tag, (
      SELECT coalesce(sum(v.menge), 0) FROM wepos o JOIN bewegung v ON v.urspr_art = 'E' AND v.urspr = o.wenr AND v.urspr_pos = o.posnr
      WHERE o.best_nr = z.best_nr AND o.best_pnr = z.best_pnr AND v.bewnr < b.bewnr) AS davor) AS d
  WHERE b.urspr_art = 'E' AND z.wenr = b.urspr AND z.posnr = b.urspr_pos
$$;

-- Value of the ordered goods on a line of a bill.
CREATE FUNCTION rechnungswert(p rechpos) RETURNS numeric LANGUAGE sql STABLE SET search_path FROM CURRENT AS $$
  SELECT bestellwert(beleg_aus(p.best_pos), posnr_aus(p.best_pos), p.menge * mengenfaktor(p.artid, p.eh))
$$;

-- Invoices. Discounts and freight of the whole invoice are what remains after the positions and the tax. The buyer owes the tax
-- of a rate of zero with a total rate (reverse charge), and recovers it.
CREATE FUNCTION rechnung_satz(r rechkopf) RETURNS SETOF buchsatz LANGUAGE sql STABLE BEGIN ATOMIC
  SELECT buchkreis(r.mand), coalesce(s.waehr, r.waehr::text, buchwaehrung(r.mand)), s.ktonr, s.betrag * CASE r.belegart WHEN 'D' THEN 1 ELSE -1 END * CASE r.vorgang WHEN 'G' THEN -1 ELSE 1 END
  FROM (SELECT coalesce(sum(p.betrag - CASE r.kz_brutto WHEN 'J' THEN p.ust ELSE 0 END), 0) AS netto,
      coalesce(sum(round(p.betrag * CASE WHEN zahl_aus(t.satz) = 0 THEN coalesce(zahl_aus(t.satz_ges), 0) ELSE 0 END / 100, 2)), 0) AS umgekehrt
    FROM rechpos p LEFT JOIN steuer t USING (stnr) WHERE p.rechnr = r.rechnr) AS summe,
  LATERAL (
    SELECT NULL::text AS waehr, abstimmkonto(r.konto, r.belegart, r.kdnr, r.liefnr) AS ktonr, r.brutto_ct / 100.0 AS betrag
    UNION ALL SELECT NULL, CASE r.belegart WHEN 'D' THEN '1710' ELSE '1250' END, -r.ust_ct / 100.0
    UNION ALL SELECT NULL, CASE r.belegart WHEN 'D' THEN '4070' ELSE '5050' END, -(r.brutto_ct - r.ust_ct) / 100.0 + summe.netto
    UNION ALL SELECT NULL, CASE WHEN r.belegart = 'D' THEN coalesce(k.ktonr, a.erloes_kto, '4030') WHEN p.best_pos IS NOT NULL AND a.artid IS NOT NULL AND a.kz_bestand IS DISTINCT FROM 'N' THEN '5060'
        ELSE coalesce(k.ktonr, a.aufwand_kto, '5030') END, -(p.betrag - CASE r.kz_brutto WHEN 'J' THEN p.ust ELSE 0 END)
      FROM rechpos p LEFT JOIN artikel a USING (artid) LEFT JOIN konto k ON k.kontoid = p.konto WHERE p.rechnr = r.rechnr
    UNION ALL SELECT bestandswaehrung(p.artid), v.ktonr, v.zeichen * w.betrag
      FROM rechpos p JOIN artikel a USING (artid), LATERAL rechnungswert(p) AS w (betrag), LATERAL (VALUES ('1630', -1), ('5060', 1)) AS v (ktonr, zeichen)
      WHERE p.rechnr = r.rechnr AND r.belegart = 'K' AND p.best_pos IS NOT NULL AND a.kz_bestand IS DISTINCT FROM 'N' AND w.betrag <> 0
    UNION ALL SELECT NULL, v.ktonr, v.zeichen * summe.umgekehrt FROM (VALUES ('1250', -1), ('1710', 1)) AS v (ktonr, zeichen) WHERE r.belegart = 'K') AS s
  WHERE r.status IN ('F', 'G', 'T', 'U', 'B');
END;

-- Differences of allocations at a rate other than that of the invoice, in the currency of the company. They are not posted to
-- the accounts of receivables and payables, so that these contain the open amounts in each currency.
CREATE FUNCTION kursdifferenz(p_mand text, p_seite integer, p_kurs numeric, p_zuordnung jsonb) RETURNS SETOF buchsatz LANGUAGE sql STABLE BEGIN ATOMIC
  SELECT buchkreis(p_mand), buchwaehrung(p_mand), v.ktonr, v.zeichen * d.betrag
  FROM (SELECT p_seite * sum(round(zahl_aus(z.betrag) * (p_kurs - r.kurs), 2)) AS betrag
        FROM jsonb_to_recordset(p_zuordnung) AS z (art text, beleg text, betrag text) JOIN rechkopf r ON r.belegnr = z.beleg WHERE z.art IN ('R', 'K')) AS d,
    LATERAL (VALUES ('1340', 1), (CASE WHEN d.betrag > 0 THEN '4820' ELSE '7820' END, -1)) AS v (ktonr, zeichen)
  WHERE d.betrag <> 0;
END;

-- Payments. An amount that is neither allocated to invoices nor left over is a prepayment.
CREATE FUNCTION zahlung_satz(z zahlung) RETURNS SETOF buchsatz LANGUAGE sql STABLE BEGIN ATOMIC
  SELECT buchkreis(z.mand), coalesce(z.waehr::text, buchwaehrung(z.mand)), s.ktonr, s.betrag * CASE z.richtung WHEN 'E' THEN 1 ELSE -1 END
  FROM (SELECT coalesce(sum(zahl_aus(a.betrag)), 0) AS betrag FROM jsonb_to_recordset(z.zuordnung) AS a (art text, betrag text) WHERE a.art IN ('R', 'K')) AS bezahlt,
  LATERAL (
    SELECT coalesce((SELECT ktonr FROM konto WHERE kontoid = z.konto), '1020') AS ktonr, z.betrag_ct / 100.0 AS betrag
    UNION ALL SELECT abstimmkonto(r.konto, r.belegart, r.kdnr, r.liefnr), -zahl_aus(a.betrag)
      FROM jsonb_to_recordset(z.zuordnung) AS a (art text, beleg text, betrag text) JOIN rechkopf r ON r.belegnr = a.beleg WHERE a.art IN ('R', 'K')
    UNION ALL SELECT partei_konto(z.kdnr, z.liefnr), -z.rest_ct / 100.0
    UNION ALL SELECT CASE z.richtung WHEN 'E' THEN '1720' ELSE '1320' END, -(z.betrag_ct - z.rest_ct) / 100.0 + bezahlt.betrag) AS s
  WHERE z.status IN ('G', 'B')
  UNION ALL SELECT mand, waehr, ktonr, betrag FROM kursdifferenz(z.mand, CASE z.richtung WHEN 'E' THEN 1 ELSE -1 END, z.kurs, z.zuordnung) WHERE z.status IN ('G', 'B');
END;

-- Credit notes.
CREATE FUNCTION gutschrift_satz(g gutschrift) RETURNS SETOF buchsatz LANGUAGE sql STABLE BEGIN ATOMIC
  SELECT buchkreis(g.mand), coalesce(g.waehr::text, buchwaehrung(g.mand)), v.ktonr, v.betrag * CASE g.belegart WHEN 'D' THEN -1 ELSE 1 END / 100.0
  FROM (VALUES (abstimmkonto(g.konto, g.belegart, g.kdnr, g.liefnr), g.brutto_ct), (CASE g.belegart WHEN 'D' THEN '1710' ELSE '1250' END, -coalesce(g.ust_ct, 0)),
    (CASE g.belegart WHEN 'D' THEN '4070' ELSE '5060' END, coalesce(g.ust_ct, 0) - g.brutto_ct)) AS v (ktonr, betrag)
  WHERE g.status IN ('G', 'T', 'A')
  UNION ALL SELECT mand, waehr, ktonr, betrag FROM kursdifferenz(g.mand, CASE g.belegart WHEN 'D' THEN 1 ELSE -1 END, g.kurs, g.zuordnung) WHERE g.status IN ('G', 'T', 'A');
END;

-- Value that the other location has sent for an incoming transfer.
CREATE FUNCTION versandwert(b bewegung) RETURNS numeric LANGUAGE sql STABLE SET search_path FROM CURRENT AS $$
  SELECT -v.wert FROM bewegung v WHERE b.art = 'UZ' AND v.lbnr = b.lbnr AND v.art = 'UA' AND (v.artid, v.menge) = (b.artid, -b.menge) AND v.bewnr < b.bewnr
  ORDER BY v.bewnr DESC LIMIT 1
$$;

-- Movements of stock, at their value in stock. Receipts are at the value of the order, and incoming transfers at the value that
-- was sent. The opening stock was carried over; production uses material and makes goods.
CREATE FUNCTION bewegung_satz(b bewegung) RETURNS SETOF buchsatz LANGUAGE sql STABLE BEGIN ATOMIC
  SELECT buchkreis(p.mand), s.waehr, s.ktonr, s.betrag
  FROM platz p, artikel a, LATERAL (SELECT b.urspr_art = 'E' AND b.urspr_pos IS NOT NULL AS ist) AS e, LATERAL (
    SELECT b.wert_waehr::text AS waehr, v.ktonr, v.betrag FROM (VALUES (coalesce(a.bestand_kto, '1130'), b.wert), (
      CASE WHEN b.zeichen = 'Conversion' THEN '2940' WHEN e.ist THEN '5060'
        WHEN b.art = 'PR' OR b.urspr_art = 'F' THEN '5010' WHEN b.art IN ('AB', 'VB', 'RK') THEN '5030' WHEN b.art IN ('UA', 'UZ') THEN '1170' ELSE '5070' END, -b.wert)) AS v (ktonr, betrag)
    UNION ALL SELECT bestandswaehrung(b.artid), v.ktonr, v.zeichen * w.betrag FROM (SELECT coalesce(eingangswert(b), b.wert) AS betrag WHERE e.ist) AS w,
      LATERAL (VALUES ('5060', 1), ('1630', -1)) AS v (ktonr, zeichen)
    UNION ALL SELECT b.wert_waehr, v.ktonr, v.zeichen * (versandwert(b) - b.wert) FROM (VALUES ('5060', 1), ('1170', -1)) AS v (ktonr, zeichen)) AS s
  WHERE p.platznr = b.platznr AND a.artid = b.artid AND s.betrag <> 0;
END;

-- Amounts that a posted entry adds to the balances of its accounts, in the currency of each and in euros: amounts in other
-- currencies have the value of the day of the entry.
CREATE FUNCTION umsatz_von(b buchung) RETURNS TABLE (kontoid bigint, betrag numeric, euro numeric) LANGUAGE sql STABLE BEGIN ATOMIC
  SELECT k.kontoid, sum(CASE k.waehr WHEN s.waehr THEN s.betrag WHEN 'EUR' THEN s.euro ELSE round(s.euro / euro_wert(k.waehr, tag_aus(b.buchdat)), 2) END), sum(s.euro)
  FROM jsonb_to_recordset(b.positionen) AS p (konto text, soll text, haben text, waehr text, kurs numeric) JOIN konto k ON k.ktonr = p.konto, LATERAL (
      SELECT coalesce(zahl_aus(p.soll), 0) - coalesce(zahl_aus(p.haben), 0) AS betrag, coalesce(p.waehr, b.waehr) AS waehr, buchwaehrung(b.mand) AS eigene) AS z, LATERAL (
      SELECT z.*, round(z.betrag * coalesce(p.kurs, CASE z.waehr WHEN b.waehr THEN b.kurs END, kurs_am(z.waehr, b.mand, tag_aus(b.buchdat))) * CASE z.eigene WHEN 'EUR' THEN 1 ELSE euro_wert(z.eigene, tag_aus(b.buchdat)) END, 2) AS euro) AS s
  WHERE b.status = 'G' GROUP BY k.kontoid;
END;
