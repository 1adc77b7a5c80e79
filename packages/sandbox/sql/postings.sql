-- What posted documents debit (above zero) or credit to the accounts of the general ledger, in which company and currency. The
-- lines of a document are balanced in each currency.

CREATE TYPE buchsatz AS (mand text, waehr text, ktonr text, betrag numeric);

-- Documents without a company are in the books of the group.
CREATE FUNCTION buchkreis(p_mand text) RETURNS text LANGUAGE sql IMMUTABLE RETURN coalesce(p_mand, '001');
CREATE FUNCTION buchwaehrung(p_mand text) RETURNS text LANGUAGE sql STABLE RETURN coalesce((SELECT waehr FROM mandant WHERE mand = p_mand), 'EUR');

-- Account of receivables or payables of a customer or vendor, and of an invoice or credit note, which can name another one.
CREATE FUNCTION partei_konto(p_kdnr bigint, p_liefnr bigint) RETURNS text LANGUAGE sql STABLE RETURN CASE
  WHEN p_kdnr IS NOT NULL THEN coalesce((SELECT debitor FROM kunde WHERE kdnr = p_kdnr), '1210')
  ELSE coalesce((SELECT kreditor FROM lief WHERE liefnr = p_liefnr), '1610') END;
CREATE FUNCTION abstimmkonto(p_konto bigint, p_belegart text, p_kdnr bigint, p_liefnr bigint) RETURNS text LANGUAGE sql STABLE RETURN
  coalesce((SELECT ktonr FROM konto WHERE kontoid = p_konto), partei_konto(CASE p_belegart WHEN 'D' THEN p_kdnr END, p_liefnr));

-- Invoices. Discounts and freight of the whole invoice are what the positions and the tax leave. The buyer owes the tax of a rate of
-- zero with a total rate (reverse charge), and recovers it.
CREATE FUNCTION rechnung_satz(r rechkopf) RETURNS SETOF buchsatz LANGUAGE sql STABLE BEGIN ATOMIC
  SELECT buchkreis(r.mand), coalesce(r.waehr::text, buchwaehrung(r.mand)), s.ktonr, s.betrag * CASE r.belegart WHEN 'D' THEN 1 ELSE -1 END * CASE r.vorgang WHEN 'G' THEN -1 ELSE 1 END
  FROM (SELECT coalesce(sum(p.betrag - CASE r.kz_brutto WHEN 'J' THEN p.ust ELSE 0 END), 0) AS netto,
      coalesce(sum(round(p.betrag * CASE WHEN zahl_aus(t.satz) = 0 THEN coalesce(zahl_aus(t.satz_ges), 0) ELSE 0 END / 100, 2)), 0) AS umgekehrt
    FROM rechpos p LEFT JOIN steuer t USING (stnr) WHERE p.rechnr = r.rechnr) AS summe,
  LATERAL (
    SELECT abstimmkonto(r.konto, r.belegart, r.kdnr, r.liefnr) AS ktonr, r.brutto_ct / 100.0 AS betrag
    UNION ALL SELECT CASE r.belegart WHEN 'D' THEN '1710' ELSE '1250' END, -r.ust_ct / 100.0
    UNION ALL SELECT CASE r.belegart WHEN 'D' THEN '4070' ELSE '5050' END, -(r.brutto_ct - r.ust_ct) / 100.0 + summe.netto
    UNION ALL SELECT CASE WHEN r.belegart = 'D' THEN coalesce(k.ktonr, a.erloes_kto, '4030') WHEN p.best_pos IS NOT NULL AND a.bestand_kto IS NOT NULL THEN '1630'
        ELSE coalesce(k.ktonr, a.aufwand_kto, '5030') END, -(p.betrag - CASE r.kz_brutto WHEN 'J' THEN p.ust ELSE 0 END)
      FROM rechpos p LEFT JOIN artikel a USING (artid) LEFT JOIN konto k ON k.kontoid = p.konto WHERE p.rechnr = r.rechnr
    UNION ALL SELECT v.ktonr, v.zeichen * summe.umgekehrt FROM (VALUES ('1250', -1), ('1710', 1)) AS v (ktonr, zeichen) WHERE r.belegart = 'K') AS s
  WHERE r.status IN ('F', 'G', 'T', 'U', 'B');
END;

-- Differences of allocations whose rate is not that of the invoice, in the currency of the company. They are not posted to the accounts
-- of receivables and payables, so that those have the open amounts in each currency.
CREATE FUNCTION kursdifferenz(p_mand text, p_seite integer, p_kurs numeric, p_zuordnung jsonb) RETURNS SETOF buchsatz LANGUAGE sql STABLE BEGIN ATOMIC
  SELECT buchkreis(p_mand), buchwaehrung(p_mand), v.ktonr, v.zeichen * d.betrag
  FROM (SELECT p_seite * sum(round(zahl_aus(z.betrag) * (p_kurs - r.kurs), 2)) AS betrag
        FROM jsonb_to_recordset(p_zuordnung) AS z (art text, beleg text, betrag text) JOIN rechkopf r ON r.belegnr = z.beleg WHERE z.art IN ('R', 'K')) AS d,
    LATERAL (VALUES ('1340', 1), (CASE WHEN d.betrag > 0 THEN '4820' ELSE '7820' END, -1)) AS v (ktonr, zeichen)
  WHERE d.betrag <> 0;
END;

-- Payments. What is neither allocated to invoices nor left is a prepayment.
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

-- Movements of stock, by their value in stock. The opening stock was carried over; production uses material and makes goods.
CREATE FUNCTION bewegung_satz(b bewegung) RETURNS SETOF buchsatz LANGUAGE sql STABLE BEGIN ATOMIC
  SELECT buchkreis(p.mand), b.wert_waehr::text, v.ktonr, v.betrag
  FROM platz p, artikel a, LATERAL (VALUES (coalesce(a.bestand_kto, '1130'), b.wert), (
    CASE WHEN b.zeichen = 'Conversion' THEN '2940' WHEN b.art = 'ZU' AND b.urspr_art IN ('E', 'B') OR b.art = 'AB' AND b.urspr_art = 'E' THEN '1630'
      WHEN b.art = 'PR' OR b.urspr_art = 'F' THEN '5010' WHEN b.art IN ('AB', 'VB', 'RK') THEN '5030' WHEN b.art IN ('UA', 'UZ') THEN '1170' ELSE '5070' END, -b.wert)) AS v (ktonr, betrag)
  WHERE p.platznr = b.platznr AND a.artid = b.artid AND b.wert <> 0;
END;

-- What a posted entry adds to the balances of its accounts, in the currency of each and in euros: amounts in other currencies have
-- the value of the day of the entry.
CREATE FUNCTION umsatz_von(b buchung) RETURNS TABLE (kontoid bigint, betrag numeric, euro numeric) LANGUAGE sql STABLE BEGIN ATOMIC
  SELECT k.kontoid, sum(CASE k.waehr WHEN s.waehr THEN s.betrag WHEN 'EUR' THEN s.euro ELSE round(s.euro / euro_wert(k.waehr, tag_aus(b.buchdat)), 2) END), sum(s.euro)
  FROM jsonb_to_recordset(b.positionen) AS p (konto text, soll text, haben text, waehr text, kurs numeric) JOIN konto k ON k.ktonr = p.konto, LATERAL (
      SELECT coalesce(zahl_aus(p.soll), 0) - coalesce(zahl_aus(p.haben), 0) AS betrag, coalesce(p.waehr, b.waehr) AS waehr, buchwaehrung(b.mand) AS eigene) AS z, LATERAL (
      SELECT z.*, round(z.betrag * coalesce(p.kurs, 1) * coalesce(b.kurs, kurs_am(b.waehr, b.mand, tag_aus(b.buchdat))) * CASE z.eigene WHEN 'EUR' THEN 1 ELSE euro_wert(z.eigene, tag_aus(b.buchdat)) END, 2) AS euro) AS s
  WHERE b.status = 'G' GROUP BY k.kontoid;
END;
