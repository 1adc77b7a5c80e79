-- Interfaces of sales: views to read, and functions that take the key of a document and their input as JSON.

CREATE VIEW angpos_mit_waehrung AS SELECT p.*, k.waehr FROM angpos p JOIN angkopf k USING (angnr);
CREATE VIEW vkpos_mit_waehrung AS SELECT p.*, k.waehr FROM vkpos p JOIN vkkopf k USING (vknr);

-- Quantities of a sales order that are not in a delivery yet.
CREATE FUNCTION vk_offen(nr bigint) RETURNS TABLE (pos text, menge numeric) LANGUAGE sql STABLE SET search_path FROM CURRENT AS $$
  SELECT v.vknr || '/' || v.posnr, v.menge - coalesce(sum(l.menge), 0)
  FROM vkpos v LEFT JOIN (lieferpos l JOIN lieferung d ON d.lfnr = l.lfnr AND d.status <> 'S') ON l.vkpos = v.vknr || '/' || v.posnr
  WHERE v.vknr = nr AND v.typ = 'A' AND v.artid IS NOT NULL
  GROUP BY v.vknr, v.posnr HAVING v.menge > coalesce(sum(l.menge), 0)
$$;

-- Creates a delivery of the given positions of a sales order, or of all outstanding ones. With a time, it counts as shipped
-- at that time.
CREATE FUNCTION lieferung_anlegen(p_key text, p_values jsonb, p_versandt timestamptz) RETURNS void LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  k vkkopf;
  nr bigint;
BEGIN
  SELECT * INTO k FROM vkkopf WHERE vknr = p_key::bigint FOR UPDATE;
  INSERT INTO lieferung (vknr, kdnr, richtung, von_platz, frachtf, sendnr, versandart, versandt, waehr, zi_name, zi_strasse, zi_zusatz, zi_plz, zi_ort, zi_lkz, bem)
  VALUES (k.vknr, k.kdnr, 'A', coalesce((p_values ->> 'platznr')::bigint, (SELECT min(platznr) FROM vkpos WHERE vknr = k.vknr)), p_values ->> 'frachtf',
    p_values ->> 'sendnr', k.versandart, zeit_text(p_versandt), k.waehr, k.li_name, k.li_strasse, k.li_zusatz, k.li_plz,
    k.li_ort, k.li_lkz, p_values ->> 'text')
  RETURNING lfnr INTO nr;
  INSERT INTO lieferpos (lfnr, posnr, vkpos, artid, text, menge, eh)
  SELECT nr, row_number() OVER (ORDER BY p.posnr, z.pos), z.pos, p.artid, p.text, z.menge, p.eh
  FROM jsonb_to_recordset(coalesce(p_values -> 'positionen', (SELECT jsonb_agg(o) FROM vk_offen(k.vknr) o))) AS z (pos text, menge numeric)
  LEFT JOIN vkpos p ON p.vknr = k.vknr AND p.vknr || '/' || p.posnr = z.pos;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'VK-041: nothing is outstanding on sales order %', k.belegnr;
  END IF;
END $$;

CREATE FUNCTION verkauf_versenden(p_key text, p_values jsonb) RETURNS void LANGUAGE sql SET search_path FROM CURRENT AS
$$ SELECT lieferung_anlegen(p_key, p_values, coalesce((p_values ->> 'zeit')::timestamptz, now())) $$;

CREATE FUNCTION verkauf_liefern(p_key text, p_values jsonb) RETURNS void LANGUAGE sql SET search_path FROM CURRENT AS
$$ SELECT lieferung_anlegen(p_key, p_values, NULL) $$;

CREATE FUNCTION verkauf_oeffnen(p_key text, p_values jsonb) RETURNS void LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  UPDATE vkkopf SET grund = NULL, statustext = concat_ws(': ', (SELECT bez FROM schluessel WHERE wert = p_values ->> 'grund'), p_values ->> 'text'),
    status = CASE WHEN freigabe IS NULL THEN '10' ELSE vk_status(vknr) END
  WHERE vknr = p_key::bigint;
END $$;

-- Sets a status directly. Shipments and invoices determine the others, and a finished order is reopened first.
CREATE FUNCTION verkauf_status(p_key text, p_values jsonb) RETURNS void LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  k vkkopf;
  neu text := p_values ->> 'status';
BEGIN
  SELECT * INTO k FROM vkkopf WHERE vknr = p_key::bigint FOR UPDATE;
  IF neu IS NULL THEN
    RAISE EXCEPTION 'VK-002: sales orders do not have this status';
  ELSIF k.status IN ('60', '90') AND neu <> k.status THEN
    RAISE EXCEPTION 'VK-059: sales order % is finished; reopen it first', k.belegnr;
  ELSIF neu IN ('30', '40', '50') AND neu <> k.status THEN
    RAISE EXCEPTION 'VK-058: sales order % is shipped and invoiced by its documents; ship or invoice it instead', k.belegnr;
  ELSIF neu IN ('60', '90') AND neu <> k.status THEN
    RAISE EXCEPTION 'VK-065: sales order % has status %; % it instead of setting its status', k.belegnr, k.status, CASE neu WHEN '60' THEN 'close' ELSE 'cancel' END;
  ELSIF neu <> k.status AND EXISTS (SELECT FROM vkpos WHERE vknr = k.vknr AND (mg_versand > 0 OR auf_rechnungen(vknr || '/' || posnr) > 0)) THEN
    RAISE EXCEPTION 'VK-060: sales order % has shipments or invoices and can only be closed', k.belegnr;
  END IF;
  UPDATE vkkopf SET status = neu, statustext = coalesce(p_values ->> 'statustext', statustext) WHERE vknr = k.vknr;
END $$;

-- Creates purchase orders for the goods of a sales order: one for each vendor, delivered to the customer.
CREATE FUNCTION verkauf_bestellen(p_key text, p_values jsonb) RETURNS void LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  k vkkopf;
  v record;
  nr bigint;
BEGIN
  SELECT * INTO k FROM vkkopf WHERE vknr = p_key::bigint FOR UPDATE;
  FOR v IN
    SELECT coalesce((p_values ->> 'liefnr')::bigint, a.hauptlief) AS liefnr, string_agg(DISTINCT a.artnr, ', ') AS artikel, array_agg(p.posnr ORDER BY p.posnr) AS posnrn
    FROM vkpos p JOIN artikel a USING (artid) WHERE p.vknr = k.vknr AND p.typ = 'A' AND p.menge > p.mg_versand GROUP BY 1 ORDER BY 1
  LOOP
    IF v.liefnr IS NULL THEN
      RAISE EXCEPTION 'VK-062: item % has no preferred vendor; specify a vendor', v.artikel;
    END IF;
    INSERT INTO bestkopf (liefnr, vknr, kdnr, mand, werknr, wunschdat, zeichen, bem, la_name, la_strasse, la_plz, la_ort, la_lkz)
    VALUES (v.liefnr, k.vknr, k.kdnr, k.mand, k.werknr, tag_mit_punkten(tag_aus(k.wunschdat)), k.belegnr, p_values ->> 'text',
      k.li_name, k.li_strasse, k.li_plz, k.li_ort, k.li_lkz)
    RETURNING bestnr INTO nr;
    INSERT INTO bestpos (bestnr, posnr, artid, text, menge, eh)
    SELECT nr, posnr, artid, text, menge - mg_versand, eh FROM vkpos WHERE vknr = k.vknr AND posnr = ANY (v.posnrn);
  END LOOP;
  IF nr IS NULL THEN
    RAISE EXCEPTION 'VK-041: nothing is outstanding on sales order %', k.belegnr;
  END IF;
  UPDATE vkkopf SET changed_at = now() WHERE vknr = k.vknr;
END $$;

-- Creates a draft invoice for the quantities of a sales order that are not on an invoice yet. The discount amount and freight of
-- the whole order are on its first invoice.
CREATE FUNCTION verkauf_berechnen(p_key text, p_values jsonb) RETURNS void LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  k vkkopf;
  nr bigint;
  erste boolean;
BEGIN
  SELECT * INTO k FROM vkkopf WHERE vknr = p_key::bigint FOR UPDATE;
  erste := NOT EXISTS (SELECT FROM vkpos WHERE vknr = k.vknr AND auf_rechnungen(vknr || '/' || posnr) > 0);
  INSERT INTO rechkopf (belegart, vknr, kdnr, kontnr, mand, kst, konto, projnr, zbnr, zahlart, waehr, kurs, kz_brutto, rabatt_proz, rabatt_ct, fracht_ct, schluessel,
    re_name, re_strasse, re_plz, re_ort, re_lkz, li_name, li_strasse, li_plz, li_ort, li_lkz, zeichen, bem)
  VALUES ('D', k.vknr, k.kdnr, k.kontnr, k.mand, k.kst, k.konto, k.projnr, k.zbnr, k.zahlart, k.waehr, k.kurs, k.kz_brutto, k.rabatt_proz,
    CASE WHEN erste THEN k.rabatt_ct END, CASE WHEN erste THEN k.fracht_ct END, k.schluessel, k.re_name, k.re_strasse, k.re_plz, k.re_ort, k.re_lkz,
    k.li_name, k.li_strasse, k.li_plz, k.li_ort, k.li_lkz, k.kd_bestnr, p_values ->> 'text')
  RETURNING rechnr INTO nr;
  INSERT INTO rechpos (rechnr, posnr, typ, artid, text, menge, eh, preis, rabatt_proz, rabatt_betrag, stnr, konto, kst, projnr, schluessel, vk_pos)
  SELECT nr, posnr, translate(typ, 'Z', 'D'), artid, coalesce(text, '-'), menge - r.berechnet, eh, preis, rabatt_proz, CASE r.berechnet WHEN 0 THEN rabatt_betrag END,
    stnr, konto, kst, projnr, schluessel, vknr || '/' || posnr
  FROM vkpos, LATERAL (SELECT auf_rechnungen(vknr || '/' || posnr) AS berechnet) AS r WHERE vknr = k.vknr AND menge > r.berechnet;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'VK-063: sales order % is already fully invoiced', k.belegnr;
  END IF;
END $$;

-- Returns a quote that the company made. Quotes from vendors become neither sales orders nor invoices.
CREATE FUNCTION angebot_von_uns(p_key text) RETURNS angkopf LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE a angkopf;
BEGIN
  SELECT * INTO a FROM angkopf WHERE angnr = p_key::bigint FOR UPDATE;
  IF a.art = 'E' THEN
    RAISE EXCEPTION 'AN-061: quote % was requested from a vendor and cannot become a sale', a.belegnr;
  END IF;
  RETURN a;
END $$;

CREATE FUNCTION angebot_bestellen(p_key text, p_values jsonb) RETURNS void LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  a angkopf := angebot_von_uns(p_key);
  nr bigint;
BEGIN
  INSERT INTO vkkopf (kdnr, kontnr, betreuer, waehr, kurs, zbnr, projnr, konto, kst, schluessel, kz_brutto, rabatt_proz, rabatt_ct, angnr, bem,
    re_name, re_strasse, re_zusatz, re_plz, re_ort, re_lkz, li_name, li_strasse, li_zusatz, li_plz, li_ort, li_lkz)
  VALUES (a.kdnr, a.kontnr, a.betreuer, a.waehr, a.kurs, a.zbnr, a.projnr, a.konto, a.kst, a.schluessel, a.kz_brutto, a.rabatt_proz, a.rabatt_ct, a.angnr,
    p_values ->> 'text', a.re_name, a.re_strasse, a.re_zusatz, a.re_plz, a.re_ort, a.re_lkz, a.li_name, a.li_strasse, a.li_zusatz, a.li_plz, a.li_ort, a.li_lkz)
  RETURNING vknr INTO nr;
  INSERT INTO vkpos (vknr, posnr, typ, artid, text, menge, eh, preis, rabatt_proz, rabatt_betrag, stnr, konto, kst, projnr, schluessel)
  SELECT nr, posnr, typ, artid, text, menge, eh, preis, rabatt_proz, rabatt_betrag, stnr, konto, kst, projnr, schluessel FROM angpos WHERE angnr = a.angnr;
  UPDATE angkopf SET status = 'W', vknr = nr, statustext = p_values ->> 'text' WHERE angnr = a.angnr;
END $$;

CREATE FUNCTION angebot_berechnen(p_key text, p_values jsonb) RETURNS void LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  a angkopf := angebot_von_uns(p_key);
  nr bigint;
BEGIN
  INSERT INTO rechkopf (belegart, kdnr, kontnr, kst, konto, projnr, zbnr, waehr, kurs, kz_brutto, rabatt_proz, rabatt_ct, schluessel,
    re_name, re_strasse, re_plz, re_ort, re_lkz, li_name, li_strasse, li_plz, li_ort, li_lkz, zeichen, bem)
  VALUES ('D', a.kdnr, a.kontnr, a.kst, a.konto, a.projnr, a.zbnr, a.waehr, a.kurs, a.kz_brutto, a.rabatt_proz, a.rabatt_ct, a.schluessel,
    a.re_name, a.re_strasse, a.re_plz, a.re_ort, a.re_lkz, a.li_name, a.li_strasse, a.li_plz, a.li_ort, a.li_lkz, a.belegnr, p_values ->> 'text')
  RETURNING rechnr INTO nr;
  INSERT INTO rechpos (rechnr, posnr, typ, artid, text, menge, eh, preis, rabatt_proz, rabatt_betrag, stnr, konto, kst, projnr, schluessel, leistdat)
  SELECT nr, posnr, translate(typ, 'Z', 'D'), artid, coalesce(text, '-'), menge, eh, preis, rabatt_proz, rabatt_betrag, stnr, konto, kst, projnr, schluessel, leistdat
  FROM angpos WHERE angnr = a.angnr;
  UPDATE angkopf SET status = 'W', rechnr = nr, statustext = p_values ->> 'text' WHERE angnr = a.angnr;
END $$;
