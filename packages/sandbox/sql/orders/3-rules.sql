-- Rules of the system: what the system fills in, and what it refuses.

CALL kennung_vergeben('auftrag', 'aufnr', 'WO-', 'aufid', 400000000);
CALL kennung_vergeben('bestkopf', 'belegnr', 'PO-', 'bestnr', 4500000000);

CREATE TRIGGER a_mandant BEFORE INSERT ON bestkopf FOR EACH ROW WHEN (NEW.mand IS NULL) EXECUTE FUNCTION mandant_bestimmen();

-- Work orders.
CREATE FUNCTION auftrag_pruefen() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE nebenbei text[] := '{changed_at,summe_ct}'; -- columns that may differ when a settled order is only marked as changed
BEGIN
  IF TG_OP = 'DELETE' THEN
    IF OLD.status NOT IN ('00', '05', '10', '15', '90') THEN
      RAISE EXCEPTION 'AU-021: work order % has begun and cannot be deleted; cancel it instead', OLD.aufnr;
    END IF;
    RETURN OLD;
  END IF;
  IF TG_OP = 'UPDATE' THEN
    IF OLD.status = '50' AND NEW.status = '50' AND (NEW.changed_at = OLD.changed_at OR to_jsonb(NEW) - nebenbei <> to_jsonb(OLD) - nebenbei) THEN
      RAISE EXCEPTION 'AU-030: work order % is settled and cannot be changed', OLD.aufnr;
    END IF;
    IF NEW.status <> OLD.status THEN
      NEW.status_am := coalesce(nullif(NEW.status_am, OLD.status_am), now());
      INSERT INTO auftrag_hist (aufid, von, nach, text) VALUES (OLD.aufid, OLD.status, NEW.status, NEW.statustext);
    END IF;
  END IF;
  CALL status_pruefen('AUF', NEW.status, 'AU-002: status % is not known for work orders');
  CALL liste_pruefen('STOR', NEW.storno_grund, 'AU-014: % is not a reason for cancellation');
  CALL liste_pruefen('HALT', NEW.halt_grund, 'AU-015: % is not a reason for an interruption');
  NEW.waehr := coalesce(NEW.waehr, 'EUR');
  RETURN NEW;
END $$;
CREATE TRIGGER b_auftrag_pruefen BEFORE INSERT OR UPDATE OR DELETE ON auftrag FOR EACH ROW EXECUTE FUNCTION auftrag_pruefen();

-- Purchase orders. In finished ones, only the columns that the system maintains can change.
CREATE FUNCTION bestkopf_pruefen() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  own text[] := ARRAY['changed_at', 'mg_proz', 're_proz', 'ust_ct', 'brutto_ct'];
  supplier lief;
BEGIN
  IF TG_OP = 'UPDATE' AND OLD.status IN ('A', 'S') AND NEW.status = OLD.status AND to_jsonb(NEW) - own IS DISTINCT FROM to_jsonb(OLD) - own THEN
    RAISE EXCEPTION 'BE-030: purchase order % is finished; reopen it first', OLD.belegnr;
  END IF;
  SELECT * INTO supplier FROM lief WHERE liefnr = NEW.liefnr;
  IF (TG_OP = 'INSERT' OR NEW.liefnr <> OLD.liefnr) AND supplier.kz_gesperrt <> 'N' THEN
    RAISE EXCEPTION 'LF-017: vendor % (%) is blocked for purchase orders', supplier.suchbegr, supplier.name1;
  END IF;
  IF TG_OP = 'UPDATE' AND NEW.liefnr <> OLD.liefnr AND EXISTS (SELECT FROM bestpos WHERE bestnr = NEW.bestnr AND (mg_wareneingang > 0 OR auf_rechnungen(bestnr || '/' || posnr) > 0)) THEN
    RAISE EXCEPTION 'BE-034: purchase order % has receipts or bills of its vendor; close it and place a new one', OLD.belegnr;
  END IF;
  IF TG_OP = 'UPDATE' AND OLD.status NOT IN ('E', 'V') AND NEW.status = OLD.status AND (NEW.liefnr, NEW.waehr, NEW.rabatt_proz, NEW.rabatt_ct, NEW.fracht_ct, NEW.kz_brutto)
    IS DISTINCT FROM (OLD.liefnr, OLD.waehr, OLD.rabatt_proz, OLD.rabatt_ct, OLD.fracht_ct, OLD.kz_brutto) THEN
    RAISE EXCEPTION 'BE-033: purchase order % is approved; set its status to draft before its vendor, currency or terms are changed', OLD.belegnr;
  END IF;
  IF TG_OP = 'UPDATE' AND NEW.status IN ('V', 'F', 'G') AND OLD.status = 'E' AND OLD.brutto_ct < 0 THEN
    RAISE EXCEPTION 'BE-015: purchase order % has a total of % %; reduce its discounts first', OLD.belegnr, round(OLD.brutto_ct / 100.0, 2), OLD.waehr;
  END IF;
  CALL liste_pruefen('STOR', NEW.grund, 'BE-014: % is not a reason for closing or cancellation');
  NEW.waehr := coalesce(NEW.waehr, supplier.waehr, 'EUR');
  RETURN NEW;
END $$;
CREATE TRIGGER b_bestkopf_pruefen BEFORE INSERT OR UPDATE ON bestkopf FOR EACH ROW EXECUTE FUNCTION bestkopf_pruefen();

CREATE FUNCTION bestpos_pruefen() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  k bestkopf;
  article artikel;
  satz numeric;
  berechnet numeric;
BEGIN
  SELECT * INTO k FROM bestkopf WHERE bestnr = coalesce(NEW.bestnr, OLD.bestnr);
  IF TG_OP = 'DELETE' OR TG_OP = 'UPDATE' AND NEW.menge < OLD.menge THEN
    berechnet := auf_rechnungen(OLD.bestnr || '/' || OLD.posnr);
  END IF;
  IF TG_OP = 'DELETE' AND (OLD.mg_wareneingang > 0 OR berechnet > 0) THEN
    RAISE EXCEPTION 'BE-031: line % of purchase order % has receipts or bills and cannot be removed', OLD.posnr, k.belegnr;
  ELSIF TG_OP = 'UPDATE' AND NEW.menge < greatest(OLD.mg_wareneingang, berechnet) THEN
    RAISE EXCEPTION 'BE-032: line % of purchase order %: % were received and % billed, so its quantity cannot be %; return the goods or cancel the bill first',
      OLD.posnr, k.belegnr, OLD.mg_wareneingang, berechnet, NEW.menge;
  ELSIF k.status NOT IN ('E', 'V') AND (TG_OP <> 'UPDATE' OR (NEW.artid, NEW.menge, NEW.eh, NEW.preis, NEW.rabatt_proz, NEW.rabatt_betrag, NEW.stnr)
    IS DISTINCT FROM (OLD.artid, OLD.menge, OLD.eh, OLD.preis, OLD.rabatt_proz, OLD.rabatt_betrag, OLD.stnr)) THEN
    RAISE EXCEPTION 'BE-033: purchase order % is approved; set its status to draft before line % is changed', k.belegnr, coalesce(NEW.posnr, OLD.posnr);
  END IF;
  IF TG_OP = 'DELETE' THEN
    RETURN OLD;
  END IF;
  SELECT * INTO article FROM artikel WHERE artid = NEW.artid;
  IF TG_OP = 'INSERT' AND article.gesperrt <> ' ' THEN
    RAISE EXCEPTION 'AR-021: item % is blocked for purchasing', article.artnr;
  END IF;
  NEW.text := coalesce(NEW.text, article.bez);
  NEW.eh := coalesce(NEW.eh, article.bestell_eh, article.meins);
  NEW.preis := coalesce(NEW.preis, round(preis_in(k.waehr, article.ek_ct, article, tag_aus(k.bestdat)) * mengenfaktor(NEW.artid, NEW.eh), 4));
  IF TG_OP = 'INSERT' OR (NEW.artid, NEW.menge, NEW.eh) IS DISTINCT FROM (OLD.artid, OLD.menge, OLD.eh) THEN
    CALL menge_pruefen(NEW.artid, NEW.menge, NEW.eh);
  END IF;
  satz := steuerprozent(coalesce(NEW.stnr, steuer_bestimmen('K', k.mand, NULL, k.liefnr, NEW.artid))) / 100;
  NEW.ust := round(positionswert(NEW.menge, NEW.preis, NEW.rabatt_proz, NEW.rabatt_betrag) * satz
    / CASE k.kz_brutto WHEN 'J' THEN 1 + satz ELSE 1 END, 2);
  RETURN NEW;
END $$;
CREATE TRIGGER b_bestpos_pruefen BEFORE INSERT OR UPDATE OR DELETE ON bestpos FOR EACH ROW EXECUTE FUNCTION bestpos_pruefen();

CREATE FUNCTION bestkopf_rechnen() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  UPDATE bestkopf k SET netto_ct = s.netto, pos_ust_ct = s.ust, (mg_proz, re_proz) = (SELECT mg_proz, re_proz FROM bestellfortschritt(k.bestnr))
  FROM (SELECT sum(netto) * 100 AS netto, sum(ust) * 100 AS ust FROM bestpos WHERE bestnr = coalesce(NEW.bestnr, OLD.bestnr)) AS s
  WHERE bestnr = coalesce(NEW.bestnr, OLD.bestnr);
  RETURN NULL;
END $$;
CREATE TRIGGER bestkopf_rechnen AFTER INSERT OR DELETE OR UPDATE OF menge, preis, rabatt_proz, rabatt_betrag, ust, stnr, mg_wareneingang ON bestpos
  FOR EACH ROW EXECUTE FUNCTION bestkopf_rechnen();

-- Positions are finished and reopened with their order.
CREATE FUNCTION bestpos_folgen() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  IF NEW.status IN ('A', 'S') THEN
    UPDATE bestpos SET status = NEW.status WHERE bestnr = NEW.bestnr AND status NOT IN ('L', NEW.status);
  ELSIF OLD.status IN ('A', 'S') THEN
    UPDATE bestpos SET status = CASE WHEN mg_wareneingang >= menge THEN 'L' WHEN mg_wareneingang > 0 THEN 'T' ELSE 'O' END WHERE bestnr = NEW.bestnr;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER bestpos_folgen AFTER UPDATE OF status ON bestkopf FOR EACH ROW EXECUTE FUNCTION bestpos_folgen();
