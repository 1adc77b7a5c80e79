-- Which tax a document has, by its company and by the country of its customer or vendor.

CREATE FUNCTION in_der_eu(p_lkz text) RETURNS boolean LANGUAGE sql IMMUTABLE
RETURN p_lkz = ANY (string_to_array('AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK', ' '));

-- Codes of the rates of a company: domestic, outside of the EU, and between companies in the EU.
CREATE FUNCTION steuerkennzeichen(p_mand text, p_seite text, p_fall text) RETURNS text LANGUAGE sql IMMUTABLE
RETURN CASE p_mand
  WHEN '020' THEN CASE p_seite WHEN 'D' THEN CASE p_fall WHEN 'INLAND' THEN 'GB20' ELSE 'GB0' END ELSE CASE p_fall WHEN 'INLAND' THEN 'GBV20' ELSE 'GBV0' END END
  WHEN '030' THEN CASE p_seite WHEN 'D' THEN CASE p_fall WHEN 'INLAND' THEN 'PL23' WHEN 'EU' THEN 'PL0EU' ELSE 'PL0' END
    ELSE CASE p_fall WHEN 'INLAND' THEN 'PLV23' WHEN 'EU' THEN 'PLRC23' ELSE 'PLV0' END END
  ELSE CASE p_seite WHEN 'D' THEN CASE p_fall WHEN 'INLAND' THEN 'S19' WHEN 'EU' THEN 'S0EU' ELSE 'S0' END
    ELSE CASE p_fall WHEN 'INLAND' THEN 'V19' WHEN 'EU' THEN 'RC19' ELSE 'V0' END END END;

-- Number of the tax rate for what a company sells (seite D) or buys (K). In the EU, a buyer with a tax number owes the tax; a
-- customer without one pays the tax of its country. Customers in the United States pay the sales tax of their state. Without an
-- address, the default of the customer or vendor applies. Domestically, an item can have a reduced rate.
CREATE FUNCTION steuer_bestimmen(p_seite text, p_mand text, p_kdnr bigint, p_liefnr bigint, p_artid bigint DEFAULT NULL) RETURNS bigint
LANGUAGE plpgsql STABLE SET search_path FROM CURRENT AS $$
DECLARE
  eigen text := coalesce((SELECT lkz FROM mandant WHERE mand = p_mand), 'DE');
  partei record;
  ort record;
  kennzeichen text;
BEGIN
  IF p_seite = 'D' THEN
    SELECT stnr, coalesce(ust_id, '') <> '' AS hat_nummer INTO partei FROM kunde WHERE kdnr = p_kdnr;
    SELECT lkz, bundesland INTO ort FROM adresse WHERE bezug_art = 'K' AND bezug = p_kdnr AND lkz IS NOT NULL ORDER BY haupt = 'J' DESC NULLS LAST, adrnr LIMIT 1;
  ELSE
    SELECT stnr, coalesce(ust_id, '') <> '' AS hat_nummer INTO partei FROM lief WHERE liefnr = p_liefnr;
    SELECT lkz, bundesland INTO ort FROM adresse WHERE bezug_art = 'L' AND bezug = p_liefnr AND lkz IS NOT NULL ORDER BY haupt = 'J' DESC NULLS LAST, adrnr LIMIT 1;
  END IF;
  IF ort.lkz IS NULL AND partei.stnr IS NOT NULL THEN
    RETURN partei.stnr;
  ELSIF coalesce(ort.lkz, eigen) = eigen THEN
    RETURN coalesce((SELECT s.stnr FROM artikel a JOIN steuer s ON s.stnr = CASE p_seite WHEN 'D' THEN a.vk_stnr ELSE a.ek_stnr END
      WHERE a.artid = p_artid AND s.lkz = eigen AND s.status = 'A'), (SELECT stnr FROM steuer WHERE stkz = steuerkennzeichen(p_mand, p_seite, 'INLAND')));
  ELSIF in_der_eu(eigen) AND in_der_eu(ort.lkz) THEN
    IF p_seite = 'D' AND NOT partei.hat_nummer THEN
      RETURN coalesce((SELECT stnr FROM steuer WHERE lkz = ort.lkz AND art IN ('V', 'B') AND status = 'A' ORDER BY zahl_aus(satz) DESC, stnr LIMIT 1),
        (SELECT stnr FROM steuer WHERE stkz = steuerkennzeichen(p_mand, p_seite, 'INLAND')));
    END IF;
    kennzeichen := steuerkennzeichen(p_mand, p_seite, 'EU');
  ELSIF p_seite = 'D' AND ort.lkz = 'US' THEN
    kennzeichen := (SELECT stkz FROM steuer WHERE lkz = 'US' AND status = 'A' AND bez LIKE 'Sales tax ' || ort.bundesland || ' %');
  END IF;
  RETURN (SELECT stnr FROM steuer WHERE stkz = coalesce(kennzeichen, steuerkennzeichen(p_mand, p_seite, 'AUSLAND')));
END $$;

-- A rate in percent.
CREATE FUNCTION steuerprozent(p_stnr bigint) RETURNS numeric LANGUAGE sql STABLE SET search_path FROM CURRENT AS
$$ SELECT coalesce((SELECT zahl_aus(satz) FROM steuer WHERE stnr = p_stnr), 0) $$;
