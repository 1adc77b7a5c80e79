-- Entries of the ledger for documents that are posted, changed or cancelled from now on.

-- The day on which a document of this date is posted: the first one in an open period.
CREATE FUNCTION buchtag(p_mand text, p_tag date) RETURNS date LANGUAGE sql STABLE SET search_path FROM CURRENT AS $$
  SELECT greatest(p_tag, tag_aus(min(p.von))) FROM mandant m JOIN gjkal USING (kalkz) JOIN gjahr USING (kalnr) JOIN periode p USING (gjnr)
  WHERE m.mand = p_mand AND p.bis >= tag_text(p_tag) AND p.zustand = 'O' AND p.sonder = 'N'
$$;

CREATE FUNCTION buchperiode(p_mand text, p_tag text) RETURNS bigint LANGUAGE sql STABLE SET search_path FROM CURRENT AS
$$ SELECT periode_am(buchkreis(p_mand), tag_text(buchtag(buchkreis(p_mand), tag_aus(p_tag)))) $$;

-- A document is posted in the first open period from its date, so that another one that it names must be open, unless it was posted
-- there before.
CREATE PROCEDURE buchperiode_pruefen(p_pernr bigint, p_bisher bigint, p_beleg text) LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE p periode;
BEGIN
  SELECT * INTO p FROM periode WHERE pernr = p_pernr;
  IF p_pernr IS DISTINCT FROM p_bisher AND p.zustand <> 'O' THEN
    RAISE EXCEPTION 'FB-024: % cannot be posted in period %, which is closed; leave the period out, or name an open one', p_beleg, p.bez;
  END IF;
END $$;

-- Posts the difference between what is to be posted for a document now and what was posted before: one entry for each company
-- and currency, dated on the date of the document or, if it was posted before, today. Lines on accounts of receivables and payables
-- name the customer or vendor.
CREATE FUNCTION beleg_verbuchen(p_art text, p_nr bigint, p_zeichen text, p_text text, p_tag text, p_kurs numeric, p_waehr text, p_neu buchsatz[], p_alt buchsatz[],
  p_kdnr bigint DEFAULT NULL, p_liefnr bigint DEFAULT NULL) RETURNS void
LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  INSERT INTO buchung (buchdat, status, waehr, kurs, mand, text, zeichen, quelle_art, quelle, positionen)
  SELECT tag_text(buchtag(mand, CASE WHEN cardinality(p_alt) > 0 THEN (now() AT TIME ZONE 'UTC')::date ELSE tag_aus(p_tag) END)), 'G', waehr,
    CASE waehr WHEN buchwaehrung(mand) THEN 1 WHEN p_waehr THEN p_kurs END, mand, p_text, p_zeichen, p_art, p_nr,
    jsonb_agg(jsonb_build_object('konto', ktonr, 'waehr', waehr, 'soll', CASE WHEN betrag > 0 THEN betrag_text(betrag * 100) END,
      'haben', CASE WHEN betrag < 0 THEN betrag_text(-betrag * 100) END,
      'kd', CASE WHEN seite IS NOT NULL THEN (SELECT suchbegr FROM kunde WHERE kdnr = p_kdnr) END,
      'lf', CASE WHEN seite IS NOT NULL THEN (SELECT suchbegr FROM lief WHERE liefnr = p_liefnr) END) ORDER BY betrag < 0, ktonr)
  FROM (SELECT mand, waehr, ktonr, kontoseite(ktonr) AS seite, sum(betrag) AS betrag
        FROM (SELECT * FROM unnest(p_neu) UNION ALL SELECT mand, waehr, ktonr, -betrag FROM unnest(p_alt)) AS s GROUP BY mand, waehr, ktonr HAVING sum(betrag) <> 0) AS zeile
  GROUP BY mand, waehr;
END $$;

-- Accounts show the new balance.
CREATE FUNCTION umsatz_buchen() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  INSERT INTO kontoumsatz (buchnr, kontoid, betrag, euro) SELECT NEW.buchnr, kontoid, betrag, euro FROM umsatz_von(NEW);
  RETURN NULL;
END $$;
CREATE TRIGGER umsatz_buchen AFTER INSERT ON buchung FOR EACH ROW WHEN (NEW.status = 'G') EXECUTE FUNCTION umsatz_buchen();
CREATE TRIGGER umsatz_buchen_spaeter AFTER UPDATE OF status ON buchung FOR EACH ROW WHEN (NEW.status = 'G' AND OLD.status <> 'G') EXECUTE FUNCTION umsatz_buchen();

-- Documents. Their triggers run after those that update amounts and allocations.
CREATE FUNCTION rechnung_verbuchen() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE alt rechkopf;
BEGIN
  IF TG_OP = 'UPDATE' THEN
    alt := OLD;
  END IF;
  PERFORM beleg_verbuchen('R', NEW.rechnr, NEW.belegnr, CASE NEW.belegart WHEN 'D' THEN 'Invoice ' ELSE 'Bill ' END || coalesce(NEW.fremdnr, NEW.belegnr), NEW.rechdat,
    NEW.kurs, NEW.waehr, ARRAY(SELECT s FROM rechnung_satz(NEW) AS s), ARRAY(SELECT s FROM rechnung_satz(alt) AS s),
    CASE NEW.belegart WHEN 'D' THEN NEW.kdnr END, CASE NEW.belegart WHEN 'K' THEN NEW.liefnr END);
  RETURN NULL;
END $$;
CREATE TRIGGER z_verbuchen AFTER INSERT OR UPDATE ON rechkopf FOR EACH ROW EXECUTE FUNCTION rechnung_verbuchen();

CREATE FUNCTION zahlung_verbuchen() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE alt zahlung;
BEGIN
  IF TG_OP = 'UPDATE' THEN
    alt := OLD;
  END IF;
  PERFORM beleg_verbuchen('Z', NEW.zahlnr, coalesce(NEW.bankref, NEW.belegnr), 'Payment ' || NEW.belegnr, NEW.buchdat, NEW.kurs, NEW.waehr,
    ARRAY(SELECT s FROM zahlung_satz(NEW) AS s), ARRAY(SELECT s FROM zahlung_satz(alt) AS s), NEW.kdnr, CASE WHEN NEW.kdnr IS NULL THEN NEW.liefnr END);
  RETURN NULL;
END $$;
CREATE TRIGGER z_verbuchen AFTER INSERT OR UPDATE ON zahlung FOR EACH ROW EXECUTE FUNCTION zahlung_verbuchen();

CREATE FUNCTION gutschrift_verbuchen() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE alt gutschrift;
BEGIN
  IF TG_OP = 'UPDATE' THEN
    alt := OLD;
  END IF;
  PERFORM beleg_verbuchen('G', NEW.gutnr, NEW.belegnr, 'Credit note ' || NEW.belegnr, NEW.gutdat, NEW.kurs, NEW.waehr,
    ARRAY(SELECT s FROM gutschrift_satz(NEW) AS s), ARRAY(SELECT s FROM gutschrift_satz(alt) AS s),
    CASE NEW.belegart WHEN 'D' THEN NEW.kdnr END, CASE NEW.belegart WHEN 'K' THEN NEW.liefnr END);
  RETURN NULL;
END $$;
CREATE TRIGGER z_verbuchen AFTER INSERT OR UPDATE ON gutschrift FOR EACH ROW EXECUTE FUNCTION gutschrift_verbuchen();

CREATE FUNCTION bewegung_verbuchen() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  PERFORM beleg_verbuchen('L', NEW.bewnr, NEW.zeichen, 'Stock movement ' || NEW.kz, tag_text(NEW.zeit), NULL, NULL, ARRAY(SELECT s FROM bewegung_satz(NEW) AS s), '{}');
  RETURN NULL;
END $$;
CREATE TRIGGER z_verbuchen AFTER INSERT ON bewegung FOR EACH ROW EXECUTE FUNCTION bewegung_verbuchen();

-- Stock that is entered, changed or removed without a movement.
CREATE FUNCTION bestand_verbuchen() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE zeile bestand := coalesce(NEW, OLD);
BEGIN
  PERFORM beleg_verbuchen(NULL, NULL, zeile.kz, 'Value of stock ' || zeile.kz, tag_text(now()), NULL, NULL,
    ARRAY(SELECT ROW (buchkreis(p.mand), s.waehr, v.ktonr, s.wert * v.zeichen)::buchsatz
      FROM (VALUES (NEW.artid, NEW.platznr, NEW.waehr, NEW.wert), (OLD.artid, OLD.platznr, OLD.waehr, -OLD.wert)) AS s (artid, platznr, waehr, wert)
        JOIN platz p USING (platznr) JOIN artikel a USING (artid), LATERAL (VALUES (coalesce(a.bestand_kto, '1130'), 1), ('5070', -1)) AS v (ktonr, zeichen)
      WHERE s.wert <> 0), '{}');
  RETURN NULL;
END $$;
CREATE TRIGGER z_verbuchen AFTER INSERT OR UPDATE OR DELETE ON bestand FOR EACH ROW WHEN (pg_trigger_depth() = 0) EXECUTE FUNCTION bestand_verbuchen();
