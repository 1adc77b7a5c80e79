-- Interfaces: views to read, and functions that take the key of a document and their input as JSON.

CREATE VIEW banfpos_mit_waehrung AS SELECT p.*, k.waehr FROM banfpos p JOIN banf k USING (banfnr);

CREATE VIEW wepos_mit_bestellung AS
  SELECT z.*, h.waehr, p.menge AS mg_bestellt FROM wepos z JOIN wekopf h USING (wenr) LEFT JOIN bestpos p ON p.bestnr = z.best_nr AND p.posnr = z.best_pnr;

-- Creates a receipt of the given positions of the order, or of all outstanding ones.
CREATE FUNCTION wareneingang_buchen(p_key text, p_values jsonb) RETURNS void LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  k bestkopf;
  receipt bigint;
  booked integer;
  stranger text;
BEGIN
  SELECT * INTO k FROM bestkopf WHERE bestnr = p_key::bigint FOR UPDATE;
  SELECT pos INTO stranger FROM jsonb_to_recordset(p_values -> 'positionen') AS z (pos text)
  WHERE NOT EXISTS (SELECT FROM bestpos b WHERE b.bestnr = k.bestnr AND b.bestnr || '/' || b.posnr = z.pos);
  IF FOUND THEN
    RAISE EXCEPTION 'BE-041: line % does not belong to purchase order %', stranger, k.belegnr;
  END IF;
  INSERT INTO wekopf (liefnr, bestnr, platznr, zeit, bem)
  VALUES (k.liefnr, k.bestnr, (p_values ->> 'platznr')::bigint,
          coalesce(p_values ->> 'zeit', zeit_text(now())), p_values ->> 'text')
  RETURNING wenr INTO receipt;
  INSERT INTO wepos (wenr, posnr, best_pos, menge, mg_abgelehnt, charge, seriennr, fachnr)
  SELECT receipt, row_number() OVER (), z.pos, z.menge, z.abgelehnt, z.charge, coalesce(z.seriennr, '[]'), z.fach
  FROM jsonb_to_recordset(coalesce(p_values -> 'positionen', (
      SELECT jsonb_agg(jsonb_build_object('pos', bestnr || '/' || posnr, 'menge', menge - mg_wareneingang) ORDER BY posnr)
      FROM bestpos WHERE bestnr = k.bestnr AND menge > mg_wareneingang)))
    AS z (pos text, menge numeric, abgelehnt numeric, charge text, seriennr jsonb, fach bigint);
  GET DIAGNOSTICS booked = ROW_COUNT;
  IF booked = 0 THEN
    RAISE EXCEPTION 'BE-043: nothing is outstanding on purchase order %', k.belegnr;
  END IF;
  UPDATE bestkopf SET statustext = coalesce(p_values ->> 'text', statustext) WHERE bestnr = k.bestnr;
END $$;

-- Positions that a conversion of a requisition copies: the given ones, or all that have not been ordered yet.
CREATE FUNCTION banf_rest(p_banfnr bigint, p_values jsonb) RETURNS TABLE (pos banfpos, rest numeric) LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  k banf;
  stranger text;
BEGIN
  SELECT * INTO k FROM banf WHERE banfnr = p_banfnr FOR UPDATE;
  SELECT z.pos INTO stranger FROM jsonb_to_recordset(p_values -> 'positionen') AS z (pos text)
  WHERE NOT EXISTS (SELECT FROM banfpos b WHERE b.banfnr = k.banfnr AND b.banfnr || '/' || b.posnr = z.pos);
  IF FOUND THEN
    RAISE EXCEPTION 'BA-041: line % does not belong to requisition %', stranger, k.belegnr;
  END IF;
  RETURN QUERY SELECT p, coalesce(z.menge, p.menge - p.mg_bestellt)
  FROM banfpos p LEFT JOIN jsonb_to_recordset(p_values -> 'positionen') AS z (pos text, menge numeric) ON z.pos = p.banfnr || '/' || p.posnr
  WHERE p.banfnr = k.banfnr AND (p_values -> 'positionen' IS NULL OR z.pos IS NOT NULL) AND coalesce(z.menge, p.menge - p.mg_bestellt) > 0
  ORDER BY p.posnr;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'BA-043: requisition % is already fully ordered', k.belegnr;
  END IF;
END $$;

CREATE FUNCTION banf_bestellen(p_key text, p_values jsonb) RETURNS void LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  k banf;
  supplier bigint;
  new_order bigint;
BEGIN
  SELECT * INTO k FROM banf WHERE banfnr = p_key::bigint;
  supplier := coalesce((p_values ->> 'liefnr')::bigint, k.liefnr);
  IF supplier IS NULL THEN
    RAISE EXCEPTION 'BA-044: requisition % has no suggested vendor; specify a vendor', k.belegnr;
  END IF;
  INSERT INTO bestkopf (titel, beschr, liefnr, waehr, mand, kst, werknr, anforderer, wunschdat, lieferplatz, aufid, projnr, konto, schluessel, versandart,
    la_name, la_strasse, la_plz, la_ort, la_lkz, kopftext, banfnr)
  VALUES (k.titel, k.beschr, supplier, k.waehr, k.mand, k.kst, k.werknr, k.anforderer, k.bedarf, k.lieferplatz, k.aufid, k.projnr, k.konto, k.schluessel,
    k.versandart, k.la_name, k.la_strasse, k.la_plz, k.la_ort, k.la_lkz, p_values ->> 'text', k.banfnr)
  RETURNING bestnr INTO new_order;
  INSERT INTO bestpos (bestnr, posnr, typ, artid, text, menge, eh, preis, wunschdat, lieferplatz, aufid, konto, kst, projnr, schluessel, banf_pos)
  SELECT new_order, row_number() OVER (), CASE WHEN (r.pos).artid IS NULL THEN 'D' ELSE 'A' END, (r.pos).artid, (r.pos).text, r.rest, (r.pos).eh, (r.pos).preis,
    (r.pos).bedarf, (r.pos).lieferplatz, (r.pos).aufid, (r.pos).konto, (r.pos).kst, (r.pos).projnr, (r.pos).schluessel,
    (r.pos).banfnr || '/' || (r.pos).posnr
  FROM banf_rest(k.banfnr, p_values) AS r;
END $$;

CREATE FUNCTION banf_anfragen(p_key text, p_values jsonb) RETURNS void LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE k banf;
BEGIN
  SELECT * INTO k FROM banf WHERE banfnr = p_key::bigint;
  IF coalesce(p_values ->> 'liefnr', k.liefnr::text) IS NULL THEN
    RAISE EXCEPTION 'BA-044: requisition % has no suggested vendor; specify a vendor', k.belegnr;
  END IF;
  INSERT INTO anfrage (titel, beschr, lieferanten, mand, werknr, banfnr, projnr, waehr, versandart, la_name, la_strasse, la_plz, la_ort, la_lkz, bem, positionen)
  SELECT k.titel, coalesce(p_values ->> 'text', k.beschr), coalesce(p_values ->> 'liefnr', k.liefnr::text), k.mand, k.werknr, k.banfnr, k.projnr, k.waehr,
    k.versandart, k.la_name, k.la_strasse, k.la_plz, k.la_ort, k.la_lkz, k.bem, jsonb_agg(jsonb_build_object('pos', (r.pos).posnr, 'artnr', a.artnr,
      'text', (r.pos).text, 'menge', r.rest, 'eh', (r.pos).eh, 'bedarf', (r.pos).bedarf, 'zielpreis', (r.pos).preis) ORDER BY (r.pos).posnr)
  FROM banf_rest(k.banfnr, p_values) AS r LEFT JOIN artikel a ON a.artid = (r.pos).artid;
END $$;

-- Quantities of an order that remain to be billed: for goods, what each receipt brought and was neither rejected nor returned,
-- in the order of arrival; for services and other positions, the ordered quantity. von and bis are quantities of the position,
-- from its first piece.
CREATE FUNCTION bestellung_offen(p_bestnr bigint) RETURNS TABLE (posnr integer, we_pos text, von numeric, bis numeric) LANGUAGE sql STABLE SET search_path FROM CURRENT AS $$
  WITH position AS (
    SELECT p.*, auf_rechnungen(p.bestnr || '/' || p.posnr) AS berechnet, a.artid IS NOT NULL AND a.kz_bestand IS DISTINCT FROM 'N' AS ist_ware
    FROM bestpos p LEFT JOIN artikel a USING (artid) WHERE p.bestnr = p_bestnr AND p.status <> 'S'
  ), eingang AS (
    SELECT z.best_pnr AS posnr, z.wenr || '/' || z.posnr AS we_pos, z.menge - z.mg_abgelehnt AS menge, sum(z.menge - z.mg_abgelehnt) OVER (PARTITION BY z.best_pnr ORDER BY h.zeit, z.wenr, z.posnr) AS bis
    FROM wepos z JOIN wekopf h USING (wenr) WHERE z.best_nr = p_bestnr AND h.status = 'B' AND h.kz_retour IS DISTINCT FROM 'J'
  )
  SELECT p.posnr, t.we_pos, greatest(t.von, p.berechnet), t.bis
  FROM position p, LATERAL (
    SELECT e.we_pos, e.bis - e.menge AS von, least(e.bis, p.mg_wareneingang - greatest(p.mg_abgelehnt, p.mg_retour)) AS bis FROM eingang e WHERE p.ist_ware AND e.posnr = p.posnr
    UNION ALL SELECT NULL, 0, p.menge WHERE NOT p.ist_ware) AS t
  WHERE t.bis > greatest(t.von, p.berechnet)
$$;

-- Creates a draft invoice of these quantities, without the vendor's number. The discount amount and freight of the whole order
-- are on its first invoice; the discount amount of a position is divided by quantity.
CREATE FUNCTION bestellung_berechnen(p_key text, p_values jsonb) RETURNS void LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  k bestkopf;
  invoice bigint;
  erste boolean;
BEGIN
  SELECT * INTO k FROM bestkopf WHERE bestnr = p_key::bigint FOR UPDATE;
  erste := NOT EXISTS (SELECT FROM bestpos WHERE bestnr = k.bestnr AND auf_rechnungen(bestnr || '/' || posnr) > 0);
  INSERT INTO rechkopf (belegart, liefnr, kontnr, bestnr, vtrnr, projnr, mand, kst, platznr, zbnr, waehr, kurs, konto, schluessel, kz_brutto, rabatt_proz,
    rabatt_ct, fracht_ct, zeichen, bem)
  VALUES ('K', k.liefnr, k.kontnr, k.bestnr, k.vtrnr, k.projnr, k.mand, k.kst, k.lieferplatz, k.zbnr, k.waehr, k.kurs, k.konto, k.schluessel, k.kz_brutto,
    k.rabatt_proz, CASE WHEN erste THEN k.rabatt_ct END, CASE WHEN erste THEN k.fracht_ct END, k.belegnr, p_values ->> 'text')
  RETURNING rechnr INTO invoice;
  INSERT INTO rechpos (rechnr, posnr, typ, artid, text, menge, eh, preis, rabatt_proz, rabatt_betrag, stnr, best_pos, we_pos, konto, kst, projnr, aufid, anlnr,
    schluessel)
  SELECT invoice, row_number() OVER (ORDER BY p.posnr, o.von), CASE p.typ WHEN 'Z' THEN 'A' ELSE p.typ END, p.artid, p.text, o.bis - o.von, p.eh, p.preis, p.rabatt_proz,
    nullif(round(p.rabatt_betrag * o.bis / p.menge, 2) - round(p.rabatt_betrag * o.von / p.menge, 2), 0), p.stnr, p.bestnr || '/' || p.posnr, o.we_pos,
    p.konto, p.kst, p.projnr, p.aufid, p.anlnr, p.schluessel
  FROM bestpos p JOIN bestellung_offen(k.bestnr) AS o USING (posnr) WHERE p.bestnr = k.bestnr;
  IF NOT FOUND THEN
    IF EXISTS (SELECT FROM bestpos WHERE bestnr = k.bestnr AND status <> 'S' AND menge > auf_rechnungen(bestnr || '/' || posnr)) THEN
      RAISE EXCEPTION 'BE-061: nothing arrived for purchase order % that is not on a bill yet; receive the goods first', k.belegnr;
    END IF;
    RAISE EXCEPTION 'BE-044: purchase order % is already fully invoiced', k.belegnr;
  END IF;
END $$;
