-- Interfaces: views to read, and functions that take the number of a document and their input as JSON.

CREATE VIEW bestand_mit_namen AS SELECT b.*, a.bez AS artikel, coalesce(f.kz, p.kz) AS ort FROM bestand b
  JOIN artikel a USING (artid) JOIN platz p USING (platznr) LEFT JOIN fach f USING (fachnr);
CREATE VIEW bezug_mit_namen AS SELECT b.*, a.bez AS artikel, l.name1 AS lieferant FROM bezug b JOIN artikel a USING (artid) JOIN lief l USING (liefnr);

-- Posts one position: quantity, location and bin of the movement. Transfers have the cost of the stock that they take.
CREATE FUNCTION lagerbeleg_bewegen(p_beleg lagerbeleg, p_pos jsonb, p_art text, p_menge numeric, p_platz bigint, p_fach bigint, p_platz_nach bigint, p_fach_nach bigint)
RETURNS void LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  IF p_platz IS NULL THEN
    RAISE EXCEPTION 'LB-016: document % has no location', p_beleg.belegnr;
  END IF;
  IF coalesce(p_menge, 0) = 0 THEN
    RETURN;
  END IF;
  INSERT INTO bewegung (artid, art, menge, eh, platznr, fachnr, platz_nach, fach_nach, charge, seriennr, kosten_ct, waehr, zeit, lbnr, urspr_art, urspr, grund, konto, persnr, zeichen)
  SELECT a.artid, p_art, p_menge * f.faktor, a.meins, p_platz, p_fach, p_platz_nach, p_fach_nach, p_pos ->> 'charge', p_pos ->> 'seriennr',
    CASE p_art WHEN 'UZ' THEN (SELECT v.kosten_ct FROM bewegung v WHERE v.lbnr = p_beleg.lbnr AND v.art = 'UA' AND v.artid = a.artid ORDER BY v.bewnr DESC LIMIT 1)
      WHEN 'UA' THEN NULL ELSE zahl_aus(p_pos ->> 'kosten') * 100 / f.faktor END, CASE WHEN p_art NOT IN ('UA', 'UZ') THEN p_beleg.waehr END, p_beleg.gebucht_am, p_beleg.lbnr, p_beleg.urspr_art, p_beleg.urspr,
    coalesce(p_pos ->> 'grund', p_beleg.grund), p_beleg.konto, p_beleg.lagerist, p_beleg.belegnr
  FROM artikel a, LATERAL (SELECT mengenfaktor(a.artid, p_pos ->> 'eh') AS faktor) AS f WHERE a.artnr = p_pos ->> 'artnr';
END $$;

CREATE FUNCTION lagerbeleg_buchen(p_key text, p_values jsonb) RETURNS void LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  k lagerbeleg;
  p jsonb;
  von bigint;
  nach bigint;
  menge numeric;
  bei timestamptz := coalesce((p_values ->> 'gebucht_am')::timestamptz, now());
  uhrzeit text := zeit_text(bei);
BEGIN
  UPDATE lagerbeleg SET status = 'B', gebucht_am = bei, statustext = p_values ->> 'text',
    buchdat = coalesce(buchdat, tag_text(bei)),
    entnommen_am = CASE art WHEN 'KM' THEN coalesce(entnommen_am, uhrzeit) ELSE entnommen_am END,
    eingelagert_am = CASE art WHEN 'EL' THEN coalesce(eingelagert_am, uhrzeit) ELSE eingelagert_am END,
    versandt_am = CASE art WHEN 'UM' THEN coalesce(versandt_am, uhrzeit) ELSE versandt_am END,
    erhalten_am = CASE art WHEN 'UM' THEN coalesce(erhalten_am, uhrzeit) ELSE erhalten_am END,
    gezaehlt_am = CASE art WHEN 'IN' THEN coalesce(gezaehlt_am, uhrzeit) ELSE gezaehlt_am END
  WHERE lbnr = p_key::bigint RETURNING * INTO k;
  IF k.positionen = '[]' THEN
    RAISE EXCEPTION 'LB-013: document % has no lines to post', k.belegnr;
  END IF;
  FOR p IN SELECT value FROM jsonb_array_elements(k.positionen) ORDER BY (value ->> 'pos')::integer LOOP
    von := lagerbeleg_fach(coalesce(p ->> 'fach', p ->> 'fach_von'), coalesce(k.fach_von, k.fachnr));
    nach := lagerbeleg_fach(p ->> 'fach_nach', k.fach_nach);
    menge := (p ->> 'menge')::numeric;
    IF k.art = 'IN' AND p ->> 'gezaehlt' IS NULL THEN
      RAISE EXCEPTION 'LB-017: line % of document % is not counted', p ->> 'pos', k.belegnr;
    ELSIF k.art <> 'IN' AND menge IS NULL THEN
      RAISE EXCEPTION 'LB-018: line % of document % has no quantity', p ->> 'pos', k.belegnr;
    END IF;
    -- Goods that were not put away or not received stay at their source.
    menge := coalesce((p ->> CASE k.art WHEN 'EL' THEN 'eingelagert' WHEN 'UM' THEN 'erhalten' END)::numeric, menge);
    CASE k.art
      WHEN 'WE' THEN PERFORM lagerbeleg_bewegen(k, p, 'ZU', menge, k.platz_nach, nach, NULL, NULL);
      WHEN 'WA' THEN PERFORM lagerbeleg_bewegen(k, p, 'AB', -menge, k.platz_von, von, NULL, NULL);
      WHEN 'KM' THEN PERFORM lagerbeleg_bewegen(k, p, 'AB', -coalesce((p ->> 'entnommen')::numeric, menge), k.platz_von, von, NULL, NULL);
      WHEN 'KO' THEN PERFORM lagerbeleg_bewegen(k, p, 'KO', menge, k.platznr, von, NULL, NULL);
      WHEN 'IN' THEN
        PERFORM lagerbeleg_bewegen(k, p, 'IN', (p ->> 'abw')::numeric, k.platznr, von, NULL, NULL);
        UPDATE bestand SET inventur_am = bei WHERE artid = (SELECT artid FROM artikel WHERE artnr = p ->> 'artnr') AND platznr = k.platznr AND (von IS NULL OR fachnr = von);
      ELSE
        PERFORM lagerbeleg_bewegen(k, p, 'UA', -menge, k.platz_von, von, k.platz_nach, nach);
        PERFORM lagerbeleg_bewegen(k, p, 'UZ', menge, k.platz_nach, nach, k.platz_von, von);
    END CASE;
  END LOOP;
END $$;

-- Cancels a document and reverses its movements.
CREATE FUNCTION lagerbeleg_stornieren(p_key text, p_values jsonb) RETURNS void LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  INSERT INTO bewegung (artid, art, menge, eh, platznr, fachnr, platz_nach, fach_nach, charge, seriennr, kosten_ct, waehr, lbnr, urspr_art, urspr, konto, zeichen, bem)
  SELECT artid, 'KO', -menge, eh, platznr, fachnr, platz_nach, fach_nach, charge, seriennr, kosten_ct, waehr, lbnr, urspr_art, urspr, konto, zeichen, 'Reversal of ' || kz
  FROM bewegung WHERE lbnr = p_key::bigint ORDER BY bewnr DESC;
  UPDATE lagerbeleg SET status = 'S', storno_am = now(), storno_grund = p_values ->> 'grund', statustext = p_values ->> 'text' WHERE lbnr = p_key::bigint;
END $$;
