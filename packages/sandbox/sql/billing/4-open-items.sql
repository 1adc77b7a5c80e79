-- Open items: how they are derived from their documents, and what is refused.

CALL kennung_vergeben('offener_posten', 'opkz', 'OP-', 'opnr', 6000000000);
ALTER TABLE offener_posten ADD CONSTRAINT offener_posten_opkz UNIQUE (opkz), ADD CONSTRAINT offener_posten_rate UNIQUE (rechnr, rate),
  ADD CONSTRAINT offener_posten_gutnr UNIQUE (gutnr), ADD CONSTRAINT offener_posten_zahlnr UNIQUE (zahlnr),
  ADD FOREIGN KEY (rechnr) REFERENCES rechkopf ON DELETE CASCADE, ADD FOREIGN KEY (gutnr) REFERENCES gutschrift ON DELETE CASCADE,
  ADD FOREIGN KEY (zahlnr) REFERENCES zahlung ON DELETE CASCADE, ADD FOREIGN KEY (kdnr) REFERENCES kunde, ADD FOREIGN KEY (liefnr) REFERENCES lief,
  ADD FOREIGN KEY (mand) REFERENCES mandant (mand), ADD FOREIGN KEY (kst) REFERENCES abteilung, ADD FOREIGN KEY (projnr) REFERENCES projekt,
  ADD FOREIGN KEY (konto) REFERENCES konto, ADD FOREIGN KEY (waehr) REFERENCES waehrung (wkz) ON UPDATE CASCADE,
  ADD FOREIGN KEY (zahlart) REFERENCES zahlart;

-- Installments of a payment term, each with the total due before and up to it; a single one if the term has none.
CREATE FUNCTION raten_von(p_zbnr bigint, p_betrag bigint, p_ab text, p_faellig text)
RETURNS TABLE (rate integer, raten integer, vorher_ct bigint, bis_ct bigint, faelldat text) LANGUAGE sql STABLE SET search_path FROM CURRENT AS $$
  WITH teil AS (
    SELECT r.nr::integer AS nr, zahl_aus(r.proz) AS proz, r.tage
    FROM zahlbed z, ROWS FROM (jsonb_to_recordset(z.raten) AS (proz text, tage integer)) WITH ORDINALITY AS r (proz, tage, nr) WHERE z.zbnr = p_zbnr
  ), stand AS (
    SELECT nr, count(*) OVER ()::integer AS von, tage,
      CASE WHEN nr = count(*) OVER () THEN p_betrag ELSE round(p_betrag * sum(proz) OVER (ORDER BY nr) / 100)::bigint END AS bis
    FROM teil
  )
  SELECT nr, von, coalesce(lag(bis) OVER (ORDER BY nr), 0), bis, tag_mit_punkten(tag_aus(p_ab) + tage) FROM stand
  UNION ALL SELECT 1, 1, 0, p_betrag, p_faellig WHERE NOT EXISTS (SELECT FROM teil)
$$;

-- The items that follow from the documents. Payments settle the earliest installment first.
CREATE VIEW posten_soll AS
SELECT k.belegart AS seite, CASE WHEN k.vorgang IN ('G', 'K') THEN k.vorgang ELSE 'R' END AS art, k.rechnr, NULL::bigint AS gutnr, NULL::bigint AS zahlnr,
  r.rate, r.raten, coalesce(k.fremdnr, k.belegnr) AS belegnr, k.kdnr, k.liefnr, k.mand, k.kst, k.projnr, k.konto, k.waehr, k.rechdat AS belegdat, r.faelldat,
  v.zeichen * (r.bis_ct - r.vorher_ct) AS betrag_ct,
  CASE WHEN k.status IN ('F', 'G', 'T', 'U', 'B') THEN v.zeichen * (r.bis_ct - greatest(r.vorher_ct, least(k.bezahlt_ct, r.bis_ct))) ELSE 0 END AS offen_ct,
  k.letzte_zahlung, k.zahlart, k.beschr, k.zeichen, k.bem, k.herkunft, k.angelegt, k.changed_at
FROM rechkopf k, LATERAL (SELECT CASE WHEN k.vorgang = 'G' THEN -1 ELSE 1 END AS zeichen) AS v,
  LATERAL raten_von(k.zbnr, coalesce(k.brutto_ct, 0), k.rechdat, k.faelldat) AS r
UNION ALL
SELECT g.belegart, 'G', NULL, g.gutnr, NULL, 1, 1, g.belegnr, CASE g.belegart WHEN 'D' THEN g.kdnr END, CASE g.belegart WHEN 'K' THEN g.liefnr END,
  g.mand, g.kst, g.projnr, coalesce(g.konto, (SELECT kontoid FROM konto WHERE ktonr = partei_konto(CASE g.belegart WHEN 'D' THEN g.kdnr END, g.liefnr))), g.waehr, g.gutdat, g.gutdat, -g.brutto_ct, CASE WHEN g.status IN ('G', 'T', 'A') THEN -g.rest_ct ELSE 0 END,
  NULL, NULL, g.beschr, g.zeichen, g.bem, NULL, g.angelegt, g.changed_at
FROM gutschrift g
UNION ALL
SELECT p.seite, 'A', NULL, NULL, z.zahlnr, 1, 1, z.belegnr, z.kdnr, CASE WHEN z.kdnr IS NULL THEN z.liefnr END, z.mand, z.kst, z.projnr,
  (SELECT k.kontoid FROM kunde LEFT JOIN konto k ON k.ktonr = debitor WHERE kdnr = z.kdnr
   UNION ALL SELECT k.kontoid FROM lief LEFT JOIN konto k ON k.ktonr = kreditor WHERE liefnr = z.liefnr AND z.kdnr IS NULL),
  z.waehr, z.buchdat, z.buchdat, p.zeichen * z.betrag_ct,
  CASE WHEN z.status IN ('G', 'B') THEN p.zeichen * z.rest_ct ELSE 0 END, tag_text(tag_aus(z.buchdat)), z.zahlart, z.beschr, z.bankref, NULL, NULL, z.angelegt, z.changed_at
FROM zahlung z, LATERAL (SELECT CASE WHEN z.kdnr IS NULL THEN 'K' ELSE 'D' END AS seite,
  CASE WHEN (z.kdnr IS NULL) = (z.richtung = 'A') THEN -1 ELSE 1 END AS zeichen) AS p
WHERE z.kdnr IS NOT NULL OR z.liefnr IS NOT NULL;

INSERT INTO offener_posten (seite, art, rechnr, gutnr, zahlnr, rate, raten, belegnr, kdnr, liefnr, mand, kst, projnr, konto, waehr, belegdat, faelldat,
  betrag_ct, offen_ct, letzte_zahlung, zahlart, mahnstufe, beschr, zeichen, bem, angelegt, changed_at)
SELECT seite, art, rechnr, gutnr, zahlnr, rate, raten, belegnr, kdnr, liefnr, mand, kst, projnr, konto, waehr, belegdat, faelldat,
  betrag_ct, offen_ct, letzte_zahlung, zahlart, CASE WHEN seite = 'D' AND offen_ct > 0 THEN least(greatest(altersklasse(faelldat, offen_ct)::integer - 1, 0), 3) ELSE 0 END,
  beschr, zeichen, bem, angelegt, changed_at
FROM posten_soll WHERE offen_ct <> 0 ORDER BY rechnr, gutnr, zahlnr, rate;

-- Updates the items of a document, and adds items for open amounts without one.
CREATE PROCEDURE posten_fortschreiben(p_rechnr bigint, p_gutnr bigint, p_zahlnr bigint) LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE s posten_soll;
BEGIN
  FOR s IN SELECT * FROM posten_soll WHERE rechnr = p_rechnr OR gutnr = p_gutnr OR zahlnr = p_zahlnr LOOP
    UPDATE offener_posten o SET raten = s.raten, belegnr = s.belegnr, kdnr = s.kdnr, liefnr = s.liefnr, mand = s.mand, kst = s.kst, projnr = s.projnr,
      konto = s.konto, waehr = s.waehr, belegdat = s.belegdat, betrag_ct = s.betrag_ct, offen_ct = s.offen_ct, letzte_zahlung = s.letzte_zahlung,
      faelldat = CASE WHEN s.rechnr IS NOT NULL AND s.raten = 1 THEN s.faelldat ELSE o.faelldat END
    WHERE o.rate = s.rate AND (o.rechnr = s.rechnr OR o.gutnr = s.gutnr OR o.zahlnr = s.zahlnr);
    IF NOT FOUND AND s.offen_ct <> 0 AND s.herkunft IS NULL THEN
      INSERT INTO offener_posten (seite, art, rechnr, gutnr, zahlnr, rate, raten, belegnr, kdnr, liefnr, mand, kst, projnr, konto, waehr, belegdat, faelldat,
        betrag_ct, offen_ct, letzte_zahlung, zahlart, beschr, zeichen, bem)
      VALUES (s.seite, s.art, s.rechnr, s.gutnr, s.zahlnr, s.rate, s.raten, s.belegnr, s.kdnr, s.liefnr, s.mand, s.kst, s.projnr, s.konto, s.waehr, s.belegdat,
        s.faelldat, s.betrag_ct, s.offen_ct, s.letzte_zahlung, s.zahlart, s.beschr, s.zeichen, s.bem);
    END IF;
    UPDATE offener_posten SET offen_ct = 0 WHERE rechnr = s.rechnr AND rate > s.raten AND offen_ct <> 0;
  END LOOP;
END $$;

CREATE FUNCTION posten_folgen() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE beleg jsonb := to_jsonb(NEW);
BEGIN
  CALL posten_fortschreiben(CASE TG_TABLE_NAME WHEN 'rechkopf' THEN (beleg ->> 'rechnr')::bigint END,
    CASE TG_TABLE_NAME WHEN 'gutschrift' THEN (beleg ->> 'gutnr')::bigint END, (beleg ->> 'zahlnr')::bigint);
  RETURN NULL;
END $$;
CREATE TRIGGER posten_folgen AFTER INSERT OR UPDATE ON rechkopf FOR EACH ROW EXECUTE FUNCTION posten_folgen();
CREATE TRIGGER posten_folgen AFTER INSERT OR UPDATE ON gutschrift FOR EACH ROW EXECUTE FUNCTION posten_folgen();
CREATE TRIGGER posten_folgen AFTER INSERT OR UPDATE ON zahlung FOR EACH ROW EXECUTE FUNCTION posten_folgen();

-- Posts an invoice with one position, free of tax, for an item that is entered without a document.
CREATE FUNCTION beleg_buchen(p offener_posten) RETURNS bigint LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE beleg bigint;
BEGIN
  INSERT INTO rechkopf (belegart, vorgang, kdnr, liefnr, fremdnr, rechdat, faelldat, waehr, konto, mand, kst, projnr, zahlart, beschr, herkunft)
  VALUES (p.seite, coalesce(p.art, 'R'), p.kdnr, p.liefnr, p.belegnr, coalesce(p.belegdat, tag_mit_punkten(now())), p.faelldat, p.waehr, p.konto, p.mand, p.kst, p.projnr,
    p.zahlart, p.beschr, 'O') RETURNING rechnr INTO beleg;
  INSERT INTO rechpos (rechnr, posnr, typ, text, menge, preis, stnr, konto)
  VALUES (beleg, 1, 'D', coalesce(p.beschr, 'Opening balance'), 1, abs(p.betrag_ct) / 100.0,
    (SELECT stnr FROM steuer WHERE stkz = CASE p.seite WHEN 'D' THEN 'S0' ELSE 'V0' END), (SELECT kontoid FROM konto WHERE ktonr = '2940'));
  UPDATE rechkopf SET status = 'F' WHERE rechnr = beleg;
  RETURN beleg;
END $$;

CREATE FUNCTION posten_erfassen() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE s posten_soll;
BEGIN
  IF num_nonnulls(NEW.rechnr, NEW.gutnr, NEW.zahlnr) = 0 THEN
    IF NEW.art = 'A' THEN
      RAISE EXCEPTION 'OP-010: an advance payment must be entered as a payment';
    END IF;
    IF NEW.betrag_ct = 0 OR (NEW.betrag_ct < 0) <> (coalesce(NEW.art, 'R') = 'G') AND coalesce(NEW.art, 'R') <> 'K' THEN
      RAISE EXCEPTION 'OP-011: the amount of an invoice must be positive, and that of a credit negative';
    END IF;
    NEW.rechnr := beleg_buchen(NEW);
    SELECT * INTO s FROM posten_soll WHERE rechnr = NEW.rechnr;
    NEW.art := s.art;
    NEW.belegnr := s.belegnr;
    NEW.waehr := s.waehr;
    NEW.belegdat := s.belegdat;
    NEW.offen_ct := s.offen_ct;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER b_posten_erfassen BEFORE INSERT ON offener_posten FOR EACH ROW EXECUTE FUNCTION posten_erfassen();

-- A direct change of an item, not through its document, cannot change what was posted.
CREATE FUNCTION posten_pruefen() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  spalte text;
  davor jsonb := to_jsonb(OLD);
  danach jsonb := to_jsonb(NEW);
BEGIN
  FOREACH spalte IN ARRAY ARRAY['seite', 'art', 'kdnr', 'liefnr', 'belegnr', 'belegdat', 'betrag_ct', 'waehr', 'konto', 'mand', 'kst', 'projnr'] LOOP
    IF danach ->> spalte <> davor ->> spalte THEN
      RAISE EXCEPTION 'OP-012: item % is posted; its % cannot be changed', OLD.opkz, CASE spalte WHEN 'art' THEN 'kind' WHEN 'belegnr' THEN 'document number'
        WHEN 'belegdat' THEN 'date' WHEN 'betrag_ct' THEN 'amount' WHEN 'waehr' THEN 'currency' WHEN 'konto' THEN 'account' WHEN 'kdnr' THEN 'customer'
        WHEN 'liefnr' THEN 'vendor' ELSE 'assignment' END;
    END IF;
  END LOOP;
  RETURN jsonb_populate_record(NEW, jsonb_build_object('art', OLD.art, 'belegnr', OLD.belegnr, 'belegdat', OLD.belegdat, 'betrag_ct', OLD.betrag_ct,
    'waehr', OLD.waehr, 'konto', OLD.konto, 'mand', OLD.mand, 'kst', OLD.kst, 'projnr', OLD.projnr));
END $$;
CREATE TRIGGER b_posten_pruefen BEFORE UPDATE ON offener_posten FOR EACH ROW WHEN (pg_trigger_depth() = 0) EXECUTE FUNCTION posten_pruefen();

-- The due date of an item is that of its invoice, unless the invoice is paid in installments.
CREATE FUNCTION faelligkeit_melden() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  UPDATE rechkopf SET faelldat = NEW.faelldat WHERE rechnr = NEW.rechnr AND faelldat IS DISTINCT FROM NEW.faelldat;
  RETURN NULL;
END $$;
CREATE TRIGGER faelligkeit_melden AFTER UPDATE OF faelldat ON offener_posten FOR EACH ROW WHEN (pg_trigger_depth() = 0 AND NEW.raten = 1)
  EXECUTE FUNCTION faelligkeit_melden();

-- Items with their age today, the discount of their payment term, and the open amount in the currency of the company
-- (offen_eigen_ct). offen_als is the side of an open item, and null for a settled one.
CREATE VIEW offene_posten_heute AS
SELECT o.*, CASE WHEN o.offen_ct <> 0 THEN o.seite END AS offen_als, o.betrag_ct - o.offen_ct AS bezahlt_ct,
  CASE WHEN o.rechnr IS NOT NULL THEN 'R' WHEN o.gutnr IS NOT NULL THEN 'G' ELSE 'Z' END AS quelle, coalesce(o.rechnr, o.gutnr, o.zahlnr) AS quelle_nr,
  coalesce(o.rechnr, g.rechnr) AS rechnung, greatest((now() AT TIME ZONE 'UTC')::date - tag_aus(o.faelldat), 0) AS tage_ueber,
  altersklasse(o.faelldat, abs(o.offen_ct)) AS alter_klasse, b.kurs, round(o.offen_ct * b.kurs) AS offen_eigen_ct,
  CASE WHEN t.skonto_proz > 0 THEN tag_text(tag_aus(o.belegdat) + coalesce(t.skonto_tage, 0)) END AS skonto_bis,
  CASE WHEN t.skonto_proz > 0 THEN round(o.offen_ct * t.skonto_proz / 100) END AS skonto_ct
FROM offener_posten o LEFT JOIN gutschrift g ON g.gutnr = o.gutnr LEFT JOIN rechkopf r ON r.rechnr = o.rechnr LEFT JOIN zahlung z ON z.zahlnr = o.zahlnr
  LEFT JOIN zahlbed t ON t.zbnr = r.zbnr, LATERAL (SELECT coalesce(r.kurs, g.kurs, z.kurs) AS kurs) AS b;
