-- Rules of billing: what the system fills in, and what it refuses.

CALL kennung_vergeben('steuer', 'stkz', 'TX-', 'stnr', 6000000000);
CALL kennung_vergeben('zahlbed', 'zbkz', 'PT-', 'zbnr', 6000000000);
CALL kennung_vergeben('rechkopf', 'belegnr', 'IN-', 'rechnr', 6000000000);
CALL kennung_vergeben('zahlung', 'belegnr', 'PA-', 'zahlnr', 6000000000);
CALL kennung_vergeben('gutschrift', 'belegnr', 'CN-', 'gutnr', 6000000000);

CREATE TRIGGER a_mandant BEFORE INSERT ON rechkopf FOR EACH ROW WHEN (NEW.mand IS NULL) EXECUTE FUNCTION mandant_bestimmen();
CREATE TRIGGER a_mandant BEFORE INSERT ON zahlung FOR EACH ROW WHEN (NEW.mand IS NULL) EXECUTE FUNCTION mandant_bestimmen();
CREATE TRIGGER a_mandant BEFORE INSERT ON gutschrift FOR EACH ROW WHEN (NEW.mand IS NULL) EXECUTE FUNCTION mandant_bestimmen();

CREATE FUNCTION zahlart_pruefen() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  IF NEW.zahlart <> OLD.zahlart THEN
    RAISE EXCEPTION 'ZA-003: the key of payment method % cannot be changed', OLD.zahlart;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER b_zahlart_pruefen BEFORE UPDATE ON zahlart FOR EACH ROW EXECUTE FUNCTION zahlart_pruefen();

-- Due date, DD.MM.YYYY, of an invoice with this date and term.
CREATE FUNCTION faelligkeit(p_rechdat text, p_zbnr bigint) RETURNS text LANGUAGE sql STABLE SET search_path FROM CURRENT AS $$
  SELECT tag_mit_punkten(tage + CASE basis
    WHEN 'M' THEN (date_trunc('month', von) + interval '1 month - 1 day')::date
    WHEN 'F' THEN (date_trunc('month', von) + interval '1 month')::date + coalesce(stichtag, 1) - 1
    ELSE von END)
  FROM zahlbed, tag_aus(p_rechdat) AS von WHERE zbnr = p_zbnr
$$;

-- Aging class of an open item by days overdue; null if nothing is open.
CREATE FUNCTION altersklasse(p_faelldat text, p_offen bigint) RETURNS text LANGUAGE sql STABLE SET search_path FROM CURRENT AS $$
  SELECT CASE WHEN coalesce(p_offen, 0) <= 0 THEN NULL WHEN tage <= 0 OR tage IS NULL THEN '0' WHEN tage <= 30 THEN '1' WHEN tage <= 60 THEN '2'
              WHEN tage <= 90 THEN '3' ELSE '4' END
  FROM (SELECT (now() AT TIME ZONE 'UTC')::date - tag_aus(p_faelldat) AS tage) AS d
$$;

-- Payment term and due date of an invoice: by default the term of its customer or vendor. A due date that followed from
-- the term of a draft follows its changes; a posted invoice without a term is due immediately. Opening items keep theirs.
CREATE FUNCTION faelligkeit_bestimmt(neu rechkopf, alt rechkopf) RETURNS rechkopf LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE gebucht boolean := neu.status IN ('F', 'G', 'T', 'U', 'B');
BEGIN
  IF neu.herkunft IS NULL AND coalesce(alt.status, 'E') IN ('E', 'V') THEN
    neu.zbnr := coalesce(neu.zbnr, CASE WHEN alt.rechnr IS NULL OR gebucht THEN
      CASE neu.belegart WHEN 'D' THEN (SELECT zbnr FROM kunde WHERE kdnr = neu.kdnr) ELSE (SELECT zbnr FROM lief WHERE liefnr = neu.liefnr) END END);
    IF neu.faelldat = alt.faelldat AND alt.faelldat = faelligkeit(alt.rechdat, alt.zbnr) THEN
      neu.faelldat := NULL;
    END IF;
  END IF;
  neu.faelldat := coalesce(neu.faelldat, faelligkeit(neu.rechdat, neu.zbnr), CASE WHEN gebucht AND neu.herkunft IS NULL THEN neu.rechdat END);
  RETURN neu;
END $$;

CREATE FUNCTION rechkopf_pruefen() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  gezahlt boolean := TG_OP = 'UPDATE' AND NEW.bezahlt_ct <> OLD.bezahlt_ct;
  preise bigint := coalesce(NEW.netto_ct, 0) + CASE NEW.kz_brutto WHEN 'J' THEN coalesce(NEW.pos_ust_ct, 0) ELSE 0 END;
  abzug bigint := nachlass(preise, NEW.rabatt_proz, NEW.rabatt_ct);
BEGIN
  IF NEW.belegart = 'D' AND NEW.kdnr IS NULL OR NEW.belegart = 'K' AND NEW.liefnr IS NULL THEN
    RAISE EXCEPTION 'RE-010: an invoice of kind % needs a %', NEW.belegart, CASE NEW.belegart WHEN 'D' THEN 'customer' ELSE 'vendor' END;
  END IF;
  IF NEW.belegart = 'K' AND (TG_OP = 'INSERT' OR (NEW.liefnr, NEW.fremdnr) IS DISTINCT FROM (OLD.liefnr, OLD.fremdnr)) AND EXISTS (
    SELECT FROM rechkopf WHERE liefnr = NEW.liefnr AND fremdnr = NEW.fremdnr AND belegart = 'K' AND status NOT IN ('S', 'X') AND rechnr <> NEW.rechnr) THEN
    RAISE EXCEPTION 'RE-012: invoice % of vendor % has already been entered', NEW.fremdnr, NEW.liefnr;
  END IF;
  CALL liste_pruefen('STOR', NEW.grund, 'RE-014: % is not a reason for cancellation');
  IF TG_OP = 'UPDATE' THEN
    IF OLD.status IN ('B', 'S', 'X') AND NEW.status = OLD.status AND NOT gezahlt THEN
      RAISE EXCEPTION 'RE-030: invoice % is finished and cannot be changed', OLD.belegnr;
    END IF;
    IF NEW.status <> OLD.status AND NOT gezahlt AND (NEW.status IN ('T', 'B') OR OLD.bezahlt_ct > 0 AND NEW.status <> 'U') THEN
      RAISE EXCEPTION 'RE-033: the status of invoice % is determined by its payments', OLD.belegnr;
    END IF;
    IF NEW.status <> OLD.status AND NEW.status = 'U' THEN
      RAISE EXCEPTION 'RE-035: whether invoice % is overdue follows from its due date and open amount', OLD.belegnr;
    ELSIF NEW.status IN ('E', 'V') AND OLD.status NOT IN ('E', 'V') THEN
      RAISE EXCEPTION 'RE-034: invoice % is posted and cannot be a draft again; cancel it and enter a new one', OLD.belegnr;
    END IF;
    IF NEW.status <> OLD.status AND NEW.status_am IS NOT DISTINCT FROM OLD.status_am THEN
      NEW.status_am := now();
    END IF;
  END IF;
  IF NEW.waehr IS NULL THEN
    NEW.waehr := partner_waehrung(CASE NEW.belegart WHEN 'D' THEN NEW.kdnr END, NEW.liefnr);
  END IF;
  IF NEW.belegart = 'D' THEN
    NEW.fremdnr := coalesce(NEW.fremdnr, NEW.belegnr);
  END IF;
  NEW := faelligkeit_bestimmt(NEW, CASE TG_OP WHEN 'UPDATE' THEN OLD END);
  NEW.ust_ct := restust(NEW.pos_ust_ct, preise, abzug);
  NEW.brutto_ct := preise - abzug + coalesce(NEW.fracht_ct, 0) + CASE NEW.kz_brutto WHEN 'J' THEN 0 ELSE NEW.ust_ct END;
  IF NEW.status IN ('F', 'G') AND TG_OP = 'UPDATE' AND OLD.status IN ('E', 'V') AND NEW.herkunft IS NULL THEN
    IF NEW.brutto_ct < 0 AND NEW.vorgang IS DISTINCT FROM 'K' THEN
      RAISE EXCEPTION 'RE-016: invoice % has a total of % %; reduce its discounts, or enter a credit', OLD.belegnr, round(NEW.brutto_ct / 100.0, 2), NEW.waehr;
    END IF;
  END IF;
  IF NEW.herkunft IS NULL AND tag_aus(NEW.faelldat) < tag_aus(NEW.rechdat) AND (TG_OP = 'INSERT' OR (NEW.faelldat, NEW.rechdat) IS DISTINCT FROM (OLD.faelldat, OLD.rechdat)) THEN
    RAISE EXCEPTION 'RE-019: invoice % is of %, so it cannot be due on %', NEW.belegnr, NEW.rechdat, NEW.faelldat;
  END IF;
  IF TG_OP = 'UPDATE' AND OLD.status NOT IN ('E', 'V') AND (NEW.belegnr, NEW.fremdnr) IS DISTINCT FROM (OLD.belegnr, OLD.fremdnr) THEN
    RAISE EXCEPTION 'RE-036: invoice % is posted; its numbers cannot be changed', OLD.belegnr;
  END IF;
  IF gezahlt AND NEW.status IN ('F', 'G', 'T', 'U', 'B') THEN
    NEW.status := CASE WHEN NEW.bezahlt_ct >= NEW.brutto_ct THEN 'B' WHEN NEW.bezahlt_ct > 0 THEN 'T' ELSE 'G' END;
  END IF;
  NEW.bezahlt_am := CASE WHEN NEW.status = 'B' THEN coalesce(NEW.bezahlt_am, now()) END;
  NEW.storno_am := CASE WHEN NEW.status IN ('S', 'X') THEN coalesce(NEW.storno_am, now()) END;
  IF NEW.status IN ('F', 'G', 'T', 'U', 'B') THEN
    NEW.freigabe_am := coalesce(NEW.freigabe_am, now());
    NEW.gebucht_am := coalesce(NEW.gebucht_am, now());
    NEW.pernr := coalesce(NEW.pernr, buchperiode(NEW.mand, NEW.rechdat));
    CALL buchperiode_pruefen(NEW.pernr, CASE TG_OP WHEN 'UPDATE' THEN CASE WHEN OLD.status NOT IN ('E', 'V') THEN OLD.pernr END END, 'invoice ' || NEW.belegnr);
    NEW.konto := coalesce(NEW.konto, (SELECT kontoid FROM konto WHERE ktonr = abstimmkonto(NULL, NEW.belegart, NEW.kdnr, NEW.liefnr)));
  ELSIF NEW.status IN ('E', 'V') THEN
    NEW.freigabe_am := NULL;
    NEW.gebucht_am := NULL;
  END IF;
  NEW.offen_ct := CASE WHEN NEW.status IN ('S', 'X') THEN 0 ELSE NEW.brutto_ct - NEW.bezahlt_ct END;
  RETURN NEW;
END $$;
CREATE TRIGGER b_rechkopf_pruefen BEFORE INSERT OR UPDATE ON rechkopf FOR EACH ROW EXECUTE FUNCTION rechkopf_pruefen();

-- The tax of all positions changes when their prices start or stop including tax.
CREATE FUNCTION rechkopf_umrechnen() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  UPDATE rechpos SET ust = NULL WHERE rechnr = NEW.rechnr;
  RETURN NULL;
END $$;
CREATE TRIGGER rechkopf_umrechnen AFTER UPDATE ON rechkopf FOR EACH ROW WHEN (OLD.kz_brutto IS DISTINCT FROM NEW.kz_brutto)
  EXECUTE FUNCTION rechkopf_umrechnen();

-- A position bills what its vendor was ordered, with the tolerance of receipts. Quantities in another unit are not compared.
CREATE PROCEDURE bestellbezug_pruefen(k rechkopf, p rechpos) LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  bestellt bestpos;
  bestellung bestkopf;
  berechnet numeric;
BEGIN
  IF p.best_pos IS NULL THEN
    RETURN;
  END IF;
  SELECT * INTO bestellt FROM bestpos WHERE bestnr = beleg_aus(p.best_pos) AND posnr = posnr_aus(p.best_pos);
  IF NOT FOUND THEN
    RAISE EXCEPTION 'RE-015: no purchase order has a line %', p.best_pos;
  END IF;
  SELECT * INTO bestellung FROM bestkopf WHERE bestnr = bestellt.bestnr;
  IF bestellung.liefnr <> k.liefnr THEN
    RAISE EXCEPTION 'RE-017: line %: purchase order % was placed with another vendor than that of invoice %', p.posnr, bestellung.belegnr, k.belegnr;
  END IF;
  berechnet := p.menge + (SELECT coalesce(sum(a.menge), 0) FROM rechpos a JOIN rechkopf h USING (rechnr)
    WHERE a.best_pos = p.best_pos AND h.status NOT IN ('S', 'X') AND (a.rechnr, a.posnr) <> (p.rechnr, p.posnr));
  IF coalesce(k.vorgang, 'R') = 'R' AND p.eh IS NOT DISTINCT FROM bestellt.eh AND berechnet > bestellt.menge * 1.1 THEN
    RAISE EXCEPTION 'RE-018: line %: % of line % of purchase order % would be billed, but only % were ordered', p.posnr, berechnet, bestellt.posnr, bestellung.belegnr, bestellt.menge;
  END IF;
END $$;

CREATE FUNCTION rechpos_pruefen() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  k rechkopf;
  article artikel;
  satz numeric;
  betrag numeric;
BEGIN
  SELECT * INTO k FROM rechkopf WHERE rechnr = CASE TG_OP WHEN 'DELETE' THEN OLD.rechnr ELSE NEW.rechnr END;
  IF k.status NOT IN ('E', 'V') THEN
    RAISE EXCEPTION 'RE-031: invoice % is posted; its lines cannot be changed', k.belegnr;
  END IF;
  IF TG_OP = 'DELETE' THEN
    RETURN OLD;
  END IF;
  SELECT * INTO article FROM artikel WHERE artid = NEW.artid;
  NEW.menge := coalesce(NEW.menge, 1);
  NEW.text := coalesce(NEW.text, article.bez);
  NEW.eh := coalesce(NEW.eh, article.verkauf_eh, article.meins);
  NEW.preis := coalesce(NEW.preis, preis_in(k.waehr, CASE k.belegart WHEN 'D' THEN coalesce(article.vk_ct, article.ek_ct) ELSE article.ek_ct END, article, tag_aus(k.rechdat)));
  IF NEW.text IS NULL THEN
    RAISE EXCEPTION 'RE-013: line % without an item needs a text', NEW.posnr;
  END IF;
  CALL bestellbezug_pruefen(k, NEW);
  IF NEW.typ NOT IN ('S', 'T') THEN
    NEW.stnr := coalesce(NEW.stnr, steuer_bestimmen(k.belegart, coalesce(k.mand, '010'), k.kdnr, k.liefnr, NEW.artid));
  END IF;
  satz := coalesce((SELECT zahl_aus(s.satz) FROM steuer s WHERE s.stnr = NEW.stnr), 0);
  betrag := positionswert(NEW.menge, NEW.preis, NEW.rabatt_proz, NEW.rabatt_betrag);
  NEW.ust := round(betrag * satz / CASE k.kz_brutto WHEN 'J' THEN 100 + satz ELSE 100 END, 2);
  RETURN NEW;
END $$;
CREATE TRIGGER b_rechpos_pruefen BEFORE INSERT OR UPDATE OR DELETE ON rechpos FOR EACH ROW EXECUTE FUNCTION rechpos_pruefen();

CREATE FUNCTION rechkopf_rechnen() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  UPDATE rechkopf k SET netto_ct = (s.betrag - CASE k.kz_brutto WHEN 'J' THEN s.ust ELSE 0 END) * 100, pos_ust_ct = s.ust * 100
  FROM (SELECT coalesce(sum(betrag), 0) AS betrag, coalesce(sum(ust), 0) AS ust FROM rechpos WHERE rechnr = coalesce(NEW.rechnr, OLD.rechnr)) AS s
  WHERE k.rechnr = coalesce(NEW.rechnr, OLD.rechnr);
  RETURN NULL;
END $$;
CREATE TRIGGER rechkopf_rechnen AFTER INSERT OR UPDATE OR DELETE ON rechpos FOR EACH ROW EXECUTE FUNCTION rechkopf_rechnen();

-- Quantity of a position of an order on its bills or invoices, including drafts.
CREATE FUNCTION auf_rechnungen(p_pos text) RETURNS numeric LANGUAGE sql STABLE SET search_path FROM CURRENT AS $$
  SELECT coalesce(sum(p.menge), 0) FROM rechpos p JOIN rechkopf k USING (rechnr) WHERE (p.best_pos = p_pos OR p.vk_pos = p_pos) AND k.status NOT IN ('S', 'X')
$$;

-- Quantity that posted bills or invoices contain.
CREATE FUNCTION berechnet(p_pos text) RETURNS numeric LANGUAGE sql STABLE SET search_path FROM CURRENT AS $$
  SELECT coalesce(sum(p.menge), 0) FROM rechpos p JOIN rechkopf k USING (rechnr) WHERE (p.best_pos = p_pos OR p.vk_pos = p_pos) AND k.status IN ('F', 'G', 'T', 'U', 'B')
$$;

-- Posted bills update the invoiced quantities of purchase orders. Posted invoices update those of sales orders, and whether they
-- are invoiced.
CREATE FUNCTION bestellung_berechnet(p_pos text) RETURNS void LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE bestellung bigint := beleg_aus(p_pos);
BEGIN
  UPDATE bestpos SET mg_rechnung = berechnet(p_pos) WHERE bestnr = bestellung AND posnr = posnr_aus(p_pos);
  UPDATE bestkopf SET (mg_proz, re_proz) = (SELECT mg_proz, re_proz FROM bestellfortschritt(bestellung)) WHERE bestnr = bestellung;
END $$;

CREATE FUNCTION auftrag_berechnet(p_pos text) RETURNS void LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  UPDATE vkpos SET mg_rechnung = berechnet(p_pos) WHERE vknr = beleg_aus(p_pos) AND posnr = posnr_aus(p_pos);
  UPDATE vkkopf SET status = vk_status(vknr) WHERE vknr = beleg_aus(p_pos) AND status IN ('20', '30', '40', '50') AND status <> vk_status(vknr);
END $$;

CREATE FUNCTION rechpos_meldet() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  PERFORM bestellung_berechnet(pos) FROM (SELECT OLD.best_pos UNION SELECT NEW.best_pos) AS p (pos) WHERE pos IS NOT NULL;
  PERFORM auftrag_berechnet(pos) FROM (SELECT OLD.vk_pos UNION SELECT NEW.vk_pos) AS p (pos) WHERE pos IS NOT NULL;
  RETURN NULL;
END $$;
CREATE TRIGGER rechpos_meldet AFTER INSERT OR UPDATE OF menge, best_pos, vk_pos OR DELETE ON rechpos FOR EACH ROW EXECUTE FUNCTION rechpos_meldet();

CREATE FUNCTION rechkopf_meldet() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  PERFORM bestellung_berechnet(best_pos) FROM rechpos WHERE rechnr = NEW.rechnr AND best_pos IS NOT NULL;
  PERFORM auftrag_berechnet(vk_pos) FROM rechpos WHERE rechnr = NEW.rechnr AND vk_pos IS NOT NULL;
  RETURN NULL;
END $$;
CREATE TRIGGER rechkopf_meldet AFTER UPDATE OF status ON rechkopf FOR EACH ROW WHEN (OLD.status <> NEW.status) EXECUTE FUNCTION rechkopf_meldet();

-- Allocations of a list, with the number of the invoice (null for another document) and the amount in cents.
CREATE FUNCTION zuordnungen(p_zuordnung jsonb) RETURNS TABLE (rechnr bigint, betrag_ct bigint, am varchar) LANGUAGE plpgsql STABLE SET search_path FROM CURRENT AS $$
DECLARE z record;
BEGIN
  FOR z IN SELECT * FROM jsonb_to_recordset(p_zuordnung) AS z (art text, beleg text, betrag text, am text) LOOP
    rechnr := NULL;
    IF z.art IN ('R', 'K') THEN
      SELECT k.rechnr INTO rechnr FROM rechkopf k WHERE k.belegnr = z.beleg;
      IF rechnr IS NULL THEN
        RAISE EXCEPTION 'ZL-022: invoice % does not exist', coalesce(z.beleg, 'without a number');
      END IF;
    END IF;
    betrag_ct := round(zahl_aus(z.betrag) * 100);
    am := z.am;
    RETURN NEXT;
  END LOOP;
END $$;

CREATE FUNCTION zahlung_pruefen() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    NEW.waehr := coalesce(NEW.waehr, partner_waehrung(NEW.kdnr, NEW.liefnr));
  END IF;
  IF NEW.status IN ('G', 'B') THEN
    NEW.pernr := coalesce(NEW.pernr, buchperiode(NEW.mand, NEW.buchdat));
  END IF;
  NEW.rest_ct := NEW.betrag_ct - (SELECT coalesce(sum(betrag_ct), 0) FROM zuordnungen(NEW.zuordnung));
  IF NEW.rest_ct < 0 THEN
    RAISE EXCEPTION 'ZL-021: payment % allocates more than its amount', NEW.belegnr;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER b_zahlung_pruefen BEFORE INSERT OR UPDATE ON zahlung FOR EACH ROW EXECUTE FUNCTION zahlung_pruefen();

-- The total of a credit note is that of its positions, if they state their amounts.
CREATE PROCEDURE gutschrift_summe(g gutschrift) LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE summe numeric;
BEGIN
  SELECT round(sum(coalesce(zahl_aus(p.betrag), zahl_aus(p.menge) * zahl_aus(p.preis)) + CASE g.kz_brutto WHEN 'J' THEN 0 ELSE coalesce(zahl_aus(p.ust), 0) END) * 100)
  INTO summe FROM jsonb_to_recordset(g.positionen) AS p (betrag text, menge text, preis text, ust text)
  HAVING bool_and(coalesce(p.betrag, p.menge || p.preis) IS NOT NULL);
  IF summe <> g.brutto_ct THEN
    RAISE EXCEPTION 'GU-015: the lines of credit note % add up to %, not to %', g.belegnr, round(summe / 100, 2), round(g.brutto_ct / 100.0, 2);
  END IF;
END $$;

CREATE FUNCTION gutschrift_pruefen() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  CALL liste_pruefen('GUTG', NEW.grund, 'GU-014: % is not a reason for a credit note');
  IF TG_OP = 'INSERT' THEN
    NEW.waehr := coalesce(NEW.waehr, partner_waehrung(NEW.kdnr, NEW.liefnr));
  END IF;
  NEW.ust_ct := (SELECT coalesce(round(sum(zahl_aus(ust)) * 100), 0) FROM jsonb_to_recordset(NEW.positionen) AS p (ust text));
  CALL gutschrift_summe(NEW);
  NEW.rest_ct := NEW.brutto_ct - (SELECT coalesce(sum(betrag_ct), 0) FROM zuordnungen(NEW.zuordnung));
  IF NEW.rest_ct < 0 THEN
    RAISE EXCEPTION 'GU-021: credit note % allocates more than its total', NEW.belegnr;
  END IF;
  IF NEW.status IN ('G', 'T', 'A') THEN
    NEW.status := CASE WHEN NEW.rest_ct = NEW.brutto_ct THEN 'G' WHEN NEW.rest_ct > 0 THEN 'T' ELSE 'A' END;
  END IF;
  NEW.angerechnet_am := CASE WHEN NEW.status = 'A' THEN coalesce(NEW.angerechnet_am, now()) END;
  RETURN NEW;
END $$;
CREATE TRIGGER b_gutschrift_pruefen BEFORE INSERT OR UPDATE ON gutschrift FOR EACH ROW EXECUTE FUNCTION gutschrift_pruefen();

-- A document settles invoices in its currency, of its own customer or vendor.
CREATE PROCEDURE zuordnung_pruefen(p_beleg text, p_waehr text, p_kdnr bigint, p_liefnr bigint, p_zuordnung jsonb) LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE k rechkopf;
BEGIN
  FOR k IN SELECT r.* FROM zuordnungen(p_zuordnung) AS z JOIN rechkopf r USING (rechnr) ORDER BY r.rechnr LOOP
    IF k.waehr <> p_waehr THEN
      RAISE EXCEPTION 'ZL-026: % is in %, and invoice % in %; settle it with a document in its currency', p_beleg, p_waehr, k.belegnr, k.waehr;
    ELSIF k.belegart = 'D' AND k.kdnr <> p_kdnr OR k.belegart = 'K' AND k.liefnr <> p_liefnr THEN
      RAISE EXCEPTION 'ZL-027: % and invoice % are of different partners', p_beleg, k.belegnr;
    END IF;
  END LOOP;
END $$;

-- Stores the settlements of invoices, and updates the invoices; p_tag is the default date of an allocation.
CREATE FUNCTION ausgleichen(p_art text, p_nr bigint, p_zuordnung jsonb, p_tag text) RETURNS void LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  betroffen bigint[];
  zuviel record;
BEGIN
  -- Payments of the same invoice are processed one at a time.
  PERFORM FROM rechkopf WHERE rechnr IN (SELECT rechnr FROM zuordnungen(p_zuordnung)) ORDER BY rechnr FOR UPDATE;
  WITH fort AS (DELETE FROM ausgleich WHERE art = p_art AND nr = p_nr RETURNING rechnr) SELECT array_agg(rechnr) INTO betroffen FROM fort;
  INSERT INTO ausgleich (art, nr, rechnr, betrag_ct, am)
  SELECT p_art, p_nr, rechnr, sum(betrag_ct), coalesce(max(am), tag_text(tag_aus(p_tag)))
  FROM zuordnungen(p_zuordnung) WHERE rechnr IS NOT NULL GROUP BY rechnr;
  IF EXISTS (SELECT FROM ausgleich a JOIN rechkopf k USING (rechnr) WHERE a.art = p_art AND a.nr = p_nr AND k.status IN ('E', 'V', 'S', 'X')) THEN
    RAISE EXCEPTION 'ZL-023: nothing can be allocated to an invoice that is not posted';
  END IF;
  SELECT k.belegnr, k.waehr, a.betrag_ct, k.brutto_ct - (SELECT sum(betrag_ct) FROM ausgleich WHERE rechnr = k.rechnr) + a.betrag_ct AS offen_ct INTO zuviel
  FROM ausgleich a JOIN rechkopf k USING (rechnr) WHERE a.art = p_art AND a.nr = p_nr
    AND (SELECT sum(betrag_ct) FROM ausgleich WHERE rechnr = k.rechnr) > greatest(k.brutto_ct, 0) ORDER BY k.rechnr LIMIT 1;
  IF FOUND THEN
    RAISE EXCEPTION 'ZL-024: invoice % has an open amount of % %; % cannot be allocated to it', zuviel.belegnr, round(zuviel.offen_ct / 100.0, 2), zuviel.waehr,
      round(zuviel.betrag_ct / 100.0, 2);
  END IF;
  SELECT betroffen || array_agg(rechnr) INTO betroffen FROM ausgleich WHERE art = p_art AND nr = p_nr;
  UPDATE rechkopf k SET bezahlt_ct = s.summe, letzte_zahlung = s.am
  FROM (SELECT r AS rechnr, coalesce(sum(a.betrag_ct), 0) AS summe, max(a.am) FILTER (WHERE a.art = 'Z') AS am
        FROM unnest(betroffen) AS r LEFT JOIN ausgleich a ON a.rechnr = r GROUP BY r) AS s
  WHERE k.rechnr = s.rechnr AND k.bezahlt_ct <> s.summe;
END $$;

CREATE FUNCTION zahlung_ausgleichen() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE falsch text;
BEGIN
  -- Invoices to customers are paid to the company, and those of vendors by it; credits in the opposite direction.
  SELECT k.belegnr INTO falsch FROM zuordnungen(NEW.zuordnung) AS z JOIN rechkopf k USING (rechnr)
  WHERE (NEW.richtung = 'E') <> ((k.belegart = 'D') <> (k.vorgang IS NOT DISTINCT FROM 'G')) ORDER BY k.rechnr LIMIT 1;
  IF FOUND THEN
    RAISE EXCEPTION 'ZL-025: an % payment cannot settle invoice %', CASE NEW.richtung WHEN 'E' THEN 'incoming' ELSE 'outgoing' END, falsch;
  END IF;
  CALL zuordnung_pruefen('payment ' || NEW.belegnr, NEW.waehr, NEW.kdnr, NEW.liefnr, NEW.zuordnung);
  PERFORM ausgleichen('Z', NEW.zahlnr, CASE WHEN NEW.status IN ('G', 'B') THEN NEW.zuordnung ELSE '[]' END, NEW.buchdat);
  RETURN NULL;
END $$;
CREATE TRIGGER zahlung_ausgleichen AFTER INSERT OR UPDATE OF status, richtung, zuordnung ON zahlung FOR EACH ROW EXECUTE FUNCTION zahlung_ausgleichen();

CREATE FUNCTION gutschrift_ausgleichen() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  CALL zuordnung_pruefen('credit note ' || NEW.belegnr, NEW.waehr, NEW.kdnr, NEW.liefnr, NEW.zuordnung);
  PERFORM ausgleichen('G', NEW.gutnr, CASE WHEN NEW.status IN ('G', 'T', 'A') THEN NEW.zuordnung ELSE '[]' END, NEW.gutdat);
  RETURN NULL;
END $$;
CREATE TRIGGER gutschrift_ausgleichen AFTER INSERT OR UPDATE OF status, zuordnung ON gutschrift FOR EACH ROW EXECUTE FUNCTION gutschrift_ausgleichen();
