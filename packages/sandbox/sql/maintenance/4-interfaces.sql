-- Interfaces: functions that take the key of a row and their input as JSON.

-- Invoices with positions for a work order, each once.
CREATE VIEW auftragsrechnung AS SELECT DISTINCT aufid, rechnr FROM rechpos WHERE aufid IS NOT NULL;

-- Completes a step. A measured value is also stored as a number and as a reading of the meter.
CREATE FUNCTION schritt_erledigen(p_key text, p_values jsonb) RETURNS void LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  s aufschritt;
  bei timestamptz := coalesce((p_values ->> 'ende')::timestamptz, now());
  zahl text := replace(p_values ->> 'wert', ',', '.');
  gemessen numeric;
BEGIN
  SELECT * INTO s FROM aufschritt WHERE aufid = beleg_aus(p_key) AND schritt = posnr_aus(p_key);
  IF s.typ IN ('N', 'M') THEN
    IF zahl !~ '^-?\d+(\.\d+)?$' THEN
      RAISE EXCEPTION 'AU-055: step % needs a number, not %', s.skz, p_values ->> 'wert';
    END IF;
    gemessen := zahl;
  END IF;
  UPDATE aufschritt SET status = 'E', ende = bei, beginn = coalesce(beginn, bei), wert = coalesce(p_values ->> 'wert', wert),
    messwert = coalesce(gemessen, messwert), bem = coalesce(p_values ->> 'bem', bem)
  WHERE aufid = s.aufid AND schritt = s.schritt;
  IF s.typ = 'M' AND s.zaehlnr IS NOT NULL AND gemessen IS NOT NULL THEN
    INSERT INTO zaehlstand (zaehlnr, wert, eh, gelesen, ableser, quelle, aufid)
    VALUES (s.zaehlnr, gemessen, s.eh, zeit_text(bei), s.monteur, 'A', s.aufid);
  END IF;
END $$;

-- The document that a work order is converted to has one position for the service: at planned cost if it is bought, at actual
-- cost if it is invoiced.
CREATE FUNCTION auftrag_bestellen(a auftrag, p_values jsonb) RETURNS void LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  bei bigint := coalesce((p_values ->> 'liefnr')::bigint, a.liefnr);
  neu bigint;
BEGIN
  IF bei IS NULL THEN
    RAISE EXCEPTION 'AU-061: work order % has no vendor; a purchase order needs one', a.aufnr;
  END IF;
  INSERT INTO bestkopf (titel, liefnr, mand, kst, werknr, anforderer, waehr, aufid, konto, bem)
  VALUES (a.kurztext, bei, a.mand, a.kst, a.werknr, a.meister, a.waehr, a.aufid, a.konto, p_values ->> 'text')
  RETURNING bestnr INTO neu;
  INSERT INTO bestpos (bestnr, posnr, typ, text, menge, eh, preis, aufid, konto, kst)
  VALUES (neu, 1, 'D', a.kurztext, 1, 'STK', zahl_aus(coalesce(a.soll_kosten, '0')), a.aufid, a.konto, a.kst);
END $$;

CREATE FUNCTION auftrag_anfordern(a auftrag, p_values jsonb) RETURNS void LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  fuer bigint := coalesce(a.meister, a.monteur, a.melder);
  neu bigint;
BEGIN
  IF fuer IS NULL THEN
    RAISE EXCEPTION 'AU-062: work order % has no supervisor, technician or reporter; a requisition needs one', a.aufnr;
  END IF;
  INSERT INTO banf (titel, anforderer, mand, kst, werknr, lieferplatz, liefnr, prio, waehr, aufid, projnr, konto, bem)
  VALUES (a.kurztext, fuer, a.mand, a.kst, a.werknr, a.platznr, coalesce((p_values ->> 'liefnr')::bigint, a.liefnr), a.prio, a.waehr, a.aufid, a.projnr,
    a.konto, p_values ->> 'text')
  RETURNING banfnr INTO neu;
  INSERT INTO banfpos (banfnr, posnr, text, menge, eh, preis, aufid, konto, kst, projnr)
  VALUES (neu, 1, a.kurztext, 1, 'STK', zahl_aus(coalesce(a.soll_kosten, '0')), a.aufid, a.konto, a.kst, a.projnr);
END $$;

CREATE FUNCTION auftrag_berechnen(a auftrag, p_values jsonb) RETURNS void LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE neu bigint;
BEGIN
  IF a.kdnr IS NULL THEN
    RAISE EXCEPTION 'AU-063: work order % has no customer; an invoice needs one', a.aufnr;
  END IF;
  IF a.summe_ct = 0 THEN
    RAISE EXCEPTION 'AU-064: work order % has no costs to invoice', a.aufnr;
  END IF;
  INSERT INTO rechkopf (belegart, kdnr, mand, kst, platznr, projnr, waehr, konto, kopftext)
  VALUES ('D', a.kdnr, a.mand, a.kst, a.platznr, a.projnr, a.waehr, a.konto, coalesce(p_values ->> 'text', a.kurztext))
  RETURNING rechnr INTO neu;
  INSERT INTO rechpos (rechnr, posnr, typ, text, menge, eh, preis, konto, aufid, kst, projnr)
  VALUES (neu, 1, 'D', a.kurztext, 1, 'STK', a.summe_ct / 100.0, a.konto, a.aufid, a.kst, a.projnr);
END $$;

CREATE FUNCTION auftrag_umwandeln(p_key text, p_values jsonb) RETURNS void LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE a auftrag;
BEGIN
  SELECT * INTO a FROM auftrag WHERE aufid = p_key::bigint;
  CASE p_values ->> 'ziel'
    WHEN 'B' THEN PERFORM auftrag_bestellen(a, p_values);
    WHEN 'A' THEN PERFORM auftrag_anfordern(a, p_values);
    WHEN 'R' THEN PERFORM auftrag_berechnen(a, p_values);
  END CASE;
END $$;
