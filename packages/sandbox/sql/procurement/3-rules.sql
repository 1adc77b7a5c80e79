-- Rules of purchasing: what the system fills in, and what it refuses.

CALL kennung_vergeben('projekt', 'projkz', 'PJ-', 'projnr', 690000);
CALL kennung_vergeben('vertrag', 'vtrkz', 'CT-', 'vtrnr', 690000);
CALL kennung_vergeben('banf', 'belegnr', 'PR-', 'banfnr', 690000);
CALL kennung_vergeben('anfrage', 'belegnr', 'RFQ-', 'anfnr', 690000);
CALL kennung_vergeben('wekopf', 'belegnr', 'GR-', 'wenr', 690000);

-- The cost of a project is the cost of its purchase orders that were placed and not cancelled.
CREATE FUNCTION projekt_rechnen() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  UPDATE projekt p SET einkauf_ct = coalesce((SELECT sum(netto_ct) FROM bestkopf b WHERE b.projnr = p.projnr AND b.status NOT IN ('E', 'V', 'S')), 0)
  WHERE p.projnr IN (OLD.projnr, NEW.projnr);
  RETURN NULL;
END $$;
CREATE TRIGGER projekt_rechnen AFTER INSERT OR DELETE OR UPDATE OF projnr, netto_ct, status ON bestkopf FOR EACH ROW EXECUTE FUNCTION projekt_rechnen();

-- Contracts.
CREATE FUNCTION vertrag_pruefen() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE currency varchar(64);
BEGIN
  IF TG_OP = 'UPDATE' AND OLD.status IN ('G', 'K', 'S') THEN
    RAISE EXCEPTION 'VT-030: contract % has ended and cannot be changed', OLD.vtrkz;
  END IF;
  IF NEW.partei_art = 'L' THEN
    SELECT waehr INTO currency FROM lief WHERE liefnr = NEW.partei;
  ELSE
    SELECT waehr INTO currency FROM kunde WHERE kdnr = NEW.partei;
  END IF;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'VT-005: party % of kind % does not exist', NEW.partei, NEW.partei_art;
  END IF;
  NEW.waehr := coalesce(NEW.waehr, currency, 'EUR');
  RETURN NEW;
END $$;
CREATE TRIGGER b_vertrag_pruefen BEFORE INSERT OR UPDATE ON vertrag FOR EACH ROW EXECUTE FUNCTION vertrag_pruefen();

-- Requisitions.
CREATE FUNCTION banf_pruefen() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  -- Triggers still update the ordered and received quantities of finished requisitions.
  IF TG_OP = 'UPDATE' AND OLD.status IN ('B', 'S') AND NEW.status = OLD.status AND pg_trigger_depth() = 1 THEN
    RAISE EXCEPTION 'BA-030: requisition % is finished and cannot be changed', OLD.belegnr;
  END IF;
  IF TG_OP = 'UPDATE' AND NEW.status = 'V' AND NEW.status <> OLD.status AND NEW.netto_ct > 500000 AND NEW.begr IS NULL THEN
    RAISE EXCEPTION 'BA-016: requisition % is worth more than 5000.00 % and needs a justification', OLD.belegnr, OLD.waehr;
  END IF;
  CALL liste_pruefen('ABLE', NEW.abl_grund, 'BA-014: % is not a reason for a rejection');
  CALL liste_pruefen('STOR', NEW.storno_grund, 'BA-015: % is not a reason for a withdrawal');
  NEW.waehr := coalesce(NEW.waehr, 'EUR');
  RETURN NEW;
END $$;
CREATE TRIGGER b_banf_pruefen BEFORE INSERT OR UPDATE ON banf FOR EACH ROW EXECUTE FUNCTION banf_pruefen();

CREATE FUNCTION banfpos_pruefen() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  head banf;
  article artikel;
BEGIN
  SELECT * INTO head FROM banf WHERE banfnr = coalesce(NEW.banfnr, OLD.banfnr);
  IF TG_OP <> 'UPDATE' AND head.status NOT IN ('E', 'V', 'R') THEN
    RAISE EXCEPTION 'BA-031: requisition % is already approved or rejected; its lines cannot be changed', head.belegnr;
  END IF;
  IF TG_OP = 'DELETE' THEN
    RETURN OLD;
  END IF;
  SELECT * INTO article FROM artikel WHERE artid = NEW.artid;
  NEW.text := coalesce(NEW.text, article.bez);
  NEW.eh := coalesce(NEW.eh, article.bestell_eh, article.meins);
  NEW.preis := coalesce(NEW.preis, preis_in(head.waehr, article.ek_ct, article, current_date));
  IF NEW.text IS NULL THEN
    RAISE EXCEPTION 'BA-011: line % of requisition % needs an item or a text', NEW.posnr, head.belegnr;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER b_banfpos_pruefen BEFORE INSERT OR UPDATE OR DELETE ON banfpos FOR EACH ROW EXECUTE FUNCTION banfpos_pruefen();

-- Totals of a requisition, and the status that follows from its ordered quantities.
CREATE FUNCTION banf_rechnen() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  UPDATE banf k SET netto_ct = s.netto * 100, ust_ct = round(s.netto * steuerprozent(steuer_bestimmen('K', k.mand, NULL, k.liefnr))), status = CASE WHEN k.status IN ('F', 'T', 'B') THEN s.ordered ELSE k.status END
  FROM (SELECT sum(netto) AS netto,
               CASE WHEN bool_and(mg_bestellt >= menge) THEN 'B' WHEN bool_or(mg_bestellt > 0) THEN 'T' ELSE 'F' END AS ordered
        FROM banfpos WHERE banfnr = coalesce(NEW.banfnr, OLD.banfnr)) AS s
  WHERE k.banfnr = coalesce(NEW.banfnr, OLD.banfnr);
  RETURN NULL;
END $$;
CREATE TRIGGER banf_rechnen AFTER INSERT OR DELETE OR UPDATE OF menge, preis, mg_bestellt ON banfpos FOR EACH ROW EXECUTE FUNCTION banf_rechnen();

-- Positions of orders update the ordered quantities of their requisitions.
CREATE FUNCTION banfpos_folgen() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  UPDATE banfpos p SET (mg_bestellt, mg_eingang) = (
    SELECT coalesce(sum(b.menge) FILTER (WHERE b.status <> 'S'), 0), coalesce(sum(b.mg_wareneingang), 0)
    FROM bestpos b WHERE b.banf_nr = p.banfnr AND b.banf_pnr = p.posnr)
  WHERE (p.banfnr, p.posnr) IN ((OLD.banf_nr, OLD.banf_pnr), (NEW.banf_nr, NEW.banf_pnr));
  RETURN NULL;
END $$;
CREATE TRIGGER banfpos_folgen AFTER INSERT OR DELETE OR UPDATE OF menge, mg_wareneingang, status, banf_pos ON bestpos
  FOR EACH ROW EXECUTE FUNCTION banfpos_folgen();

-- A changed order marks its requisitions and requests as changed; a changed request marks its requisitions.
CREATE TRIGGER banf_melden AFTER INSERT OR DELETE OR UPDATE OF banfnr ON bestkopf FOR EACH ROW EXECUTE FUNCTION oberen_melden('banf', 'banfnr');
CREATE TRIGGER anfrage_melden AFTER INSERT OR DELETE OR UPDATE OF anfnr ON bestkopf FOR EACH ROW EXECUTE FUNCTION oberen_melden('anfrage', 'anfnr');
CREATE TRIGGER oberen_melden AFTER INSERT OR DELETE OR UPDATE OF banfnr ON anfrage FOR EACH ROW EXECUTE FUNCTION oberen_melden('banf', 'banfnr');

-- Requests for quotation. Only invited vendors respond, and only to lines of the request; a vendor who declines offers nothing.
CREATE PROCEDURE antworten_pruefen(p_anfrage anfrage) LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE o record;
BEGIN
  FOR o IN SELECT r.*, (SELECT liefnr::text FROM lief WHERE suchbegr = r.lf) AS liefnr
    FROM jsonb_to_recordset(p_anfrage.angebote) AS r (pos integer, lf text, stand text, menge numeric, preis numeric) LOOP
    IF NOT EXISTS (SELECT FROM jsonb_to_recordset(p_anfrage.positionen) AS p (pos integer) WHERE p.pos = o.pos) THEN
      RAISE EXCEPTION 'AN-016: request % has no line %; a response is to one of its lines', p_anfrage.belegnr, coalesce(o.pos::text, 'without a number');
    ELSIF o.liefnr IS NULL OR o.liefnr <> ALL (string_to_array(p_anfrage.lieferanten, ' ')) THEN
      RAISE EXCEPTION 'AN-017: vendor % was not invited to request %; add it to the vendors first', coalesce(o.lf, 'without a code'), p_anfrage.belegnr;
    ELSIF o.stand = 'A' AND o.preis IS NOT NULL OR o.stand <> 'A' AND o.preis IS NULL THEN
      RAISE EXCEPTION 'AN-018: a response of vendor % to line % of request % needs a price, unless it was declined', o.lf, o.pos, p_anfrage.belegnr;
    END IF;
  END LOOP;
END $$;

CREATE FUNCTION anfrage_pruefen() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE stranger text;
BEGIN
  IF TG_OP = 'UPDATE' AND OLD.status IN ('Z', 'A', 'S') AND pg_trigger_depth() = 1 THEN
    RAISE EXCEPTION 'AN-030: request % was awarded or closed and cannot be changed', OLD.belegnr;
  END IF;
  SELECT n INTO stranger FROM unnest(string_to_array(NEW.lieferanten, ' ')) AS n WHERE NOT EXISTS (SELECT FROM lief WHERE liefnr::text = n);
  IF FOUND THEN
    RAISE EXCEPTION 'AN-005: vendor % does not exist', stranger;
  END IF;
  NEW.positionen := coalesce((SELECT jsonb_agg(e || jsonb_build_object('pos', coalesce((e ->> 'pos')::integer, n)) ORDER BY n)
    FROM jsonb_array_elements(NEW.positionen) WITH ORDINALITY AS t (e, n)), '[]');
  CALL antworten_pruefen(NEW);
  SELECT sum(round(menge * zielpreis, 2)) * 100 INTO NEW.netto_ct FROM jsonb_to_recordset(NEW.positionen) AS p (menge numeric, zielpreis numeric);
  NEW.ust_ct := round(NEW.netto_ct * steuerprozent(steuer_bestimmen('K', NEW.mand, NULL, NULL)) / 100);
  NEW.waehr := coalesce(NEW.waehr, 'EUR');
  RETURN NEW;
END $$;
CREATE TRIGGER b_anfrage_pruefen BEFORE INSERT OR UPDATE ON anfrage FOR EACH ROW EXECUTE FUNCTION anfrage_pruefen();

-- Until it is withdrawn, the positions of a quote are offers of its vendor in the request; positions that the request does not
-- have, such as freight, are only in the quote.
CREATE FUNCTION angebot_eintragen() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  UPDATE anfrage a SET status = CASE a.status WHEN 'G' THEN 'O' ELSE a.status END, angebote = (
    SELECT coalesce(jsonb_agg(o), '[]') FROM (
      SELECT o FROM jsonb_array_elements(a.angebote) AS o WHERE o ->> 'ang' IS DISTINCT FROM OLD.belegnr
      UNION ALL
      SELECT jsonb_build_object('pos', p.posnr, 'lf', l.suchbegr, 'ang', NEW.belegnr, 'waehr', nullif(NEW.waehr, a.waehr),
        'stand', CASE NEW.status WHEN 'A' THEN 'Z' WHEN 'L' THEN 'N' ELSE 'O' END, 'menge', p.menge, 'preis', round(p.netto / nullif(p.menge, 0), 4),
        'eingang', NEW.angdat, 'gueltig', NEW.gueltig, 'text', NEW.zahlbed)
      FROM angpos p JOIN lief l ON l.liefnr = NEW.liefnr WHERE p.angnr = NEW.angnr AND NEW.anfnr = a.anfnr AND NEW.status <> 'S'
        AND EXISTS (SELECT FROM jsonb_to_recordset(a.positionen) AS w (pos integer) WHERE w.pos = p.posnr)) AS offers)
  WHERE anfnr IN (OLD.anfnr, NEW.anfnr);
  RETURN NULL;
END $$;
-- No trigger on INSERT: the positions of a new quote update its total.
CREATE TRIGGER angebot_eintragen AFTER UPDATE ON angkopf FOR EACH ROW WHEN (OLD.anfnr IS NOT NULL OR NEW.anfnr IS NOT NULL)
  EXECUTE FUNCTION angebot_eintragen();

-- Receipts.
CREATE FUNCTION wekopf_pruefen() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE bestellung bestkopf;
BEGIN
  IF TG_OP = 'UPDATE' AND OLD.status = 'S' THEN
    RAISE EXCEPTION 'WE-030: receipt % was cancelled and cannot be changed', OLD.belegnr;
  END IF;
  SELECT * INTO bestellung FROM bestkopf WHERE bestnr = NEW.bestnr;
  IF bestellung.liefnr <> NEW.liefnr THEN
    RAISE EXCEPTION 'WE-005: purchase order % is for another vendor', bestellung.belegnr;
  END IF;
  IF (TG_OP = 'INSERT' OR NEW.bestnr IS DISTINCT FROM OLD.bestnr) AND bestellung.status NOT IN ('F', 'G', 'T', 'L') THEN
    RAISE EXCEPTION 'WE-006: purchase order % has status % and cannot be received', bestellung.belegnr, bestellung.status;
  END IF;
  NEW.mand := coalesce(NEW.mand, bestellung.mand);
  NEW.platznr := coalesce(NEW.platznr, bestellung.lieferplatz);
  NEW.waehr := coalesce(NEW.waehr, bestellung.waehr, partner_waehrung(NULL, NEW.liefnr));
  -- The positions take the prices of the order.
  IF (TG_OP = 'INSERT' OR (NEW.bestnr, NEW.waehr) IS DISTINCT FROM (OLD.bestnr, OLD.waehr)) AND bestellung.waehr <> NEW.waehr THEN
    RAISE EXCEPTION 'WE-007: purchase order % is in %, not in %', bestellung.belegnr, bestellung.waehr, NEW.waehr;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER b_wekopf_pruefen BEFORE INSERT OR UPDATE ON wekopf FOR EACH ROW EXECUTE FUNCTION wekopf_pruefen();

CREATE FUNCTION wepos_pruefen() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  head wekopf;
  ordered bestpos;
  article artikel;
BEGIN
  SELECT * INTO head FROM wekopf WHERE wenr = NEW.wenr;
  IF NEW.best_pos IS NOT NULL THEN
    SELECT * INTO ordered FROM bestpos WHERE bestnr = head.bestnr AND bestnr || '/' || posnr = NEW.best_pos;
    IF NOT FOUND THEN
      RAISE EXCEPTION 'WE-014: line % does not belong to the purchase order of receipt %', NEW.best_pos, head.belegnr;
    END IF;
  END IF;
  NEW.artid := coalesce(NEW.artid, ordered.artid);
  SELECT * INTO article FROM artikel WHERE artid = NEW.artid;
  NEW.text := coalesce(NEW.text, ordered.text, article.bez);
  NEW.eh := coalesce(NEW.eh, ordered.eh, article.meins);
  NEW.preis := coalesce(NEW.preis, ordered.preis * (1 - coalesce(ordered.rabatt_proz, 0) / 100), preis_in(head.waehr, article.ek_ct, article, (zeit_aus(head.zeit) AT TIME ZONE 'UTC')::date));
  NEW.mg_abgelehnt := coalesce(NEW.mg_abgelehnt, 0);
  NEW.mg_gut := coalesce(NEW.mg_gut, NEW.menge - NEW.mg_abgelehnt);
  RETURN NEW;
END $$;
CREATE TRIGGER b_wepos_pruefen BEFORE INSERT OR UPDATE ON wepos FOR EACH ROW EXECUTE FUNCTION wepos_pruefen();

-- Computes the received, rejected and returned quantities of a position, and updates position and order.
CREATE FUNCTION wareneingang_rechnen(p_bestnr bigint, p_posnr integer) RETURNS void LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  k bestkopf;
  p bestpos;
  arrived numeric;
  refused numeric;
  returned numeric;
  last varchar(14);
BEGIN
  SELECT * INTO k FROM bestkopf WHERE bestnr = p_bestnr FOR UPDATE;
  SELECT * INTO p FROM bestpos WHERE bestnr = p_bestnr AND posnr = p_posnr;
  SELECT coalesce(sum(z.menge) FILTER (WHERE h.kz_retour IS DISTINCT FROM 'J'), 0), coalesce(sum(z.mg_abgelehnt) FILTER (WHERE h.kz_retour IS DISTINCT FROM 'J'), 0),
         coalesce(sum(z.menge) FILTER (WHERE h.kz_retour = 'J'), 0), max(h.zeit)
  INTO arrived, refused, returned, last
  FROM wepos z JOIN wekopf h USING (wenr) WHERE z.best_nr = p_bestnr AND z.best_pnr = p_posnr AND h.status = 'B';
  IF arrived > p.menge * 1.1 AND arrived > p.mg_wareneingang THEN
    RAISE EXCEPTION 'BE-042: line % of purchase order %: % arrived, but only % were ordered', p_posnr, k.belegnr, arrived, p.menge;
  END IF;
  UPDATE bestpos SET mg_wareneingang = arrived, mg_abgelehnt = refused, mg_retour = returned,
    status = CASE WHEN status NOT IN ('O', 'T', 'L') THEN status WHEN arrived >= menge THEN 'L' WHEN arrived > 0 THEN 'T' ELSE 'O' END
  WHERE bestnr = p_bestnr AND posnr = p_posnr;
  IF k.status IN ('F', 'G', 'T', 'L') THEN
    UPDATE bestkopf SET (status, erledigt_am) = (
      SELECT CASE WHEN bool_and(s.status = 'L') THEN 'L' WHEN bool_or(s.mg_wareneingang > 0) THEN 'T' WHEN k.status = 'G' THEN 'G' ELSE 'F' END,
             CASE WHEN bool_and(s.status = 'L') THEN zeit_aus(last) END
      FROM bestpos s WHERE s.bestnr = p_bestnr)
    WHERE bestnr = p_bestnr;
  END IF;
END $$;

CREATE FUNCTION wepos_melden() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  UPDATE wekopf SET netto_ct = s.netto * 100, ust_ct = round(s.netto * steuerprozent(steuer_bestimmen('K', mand, NULL, liefnr)))
  FROM (SELECT sum(netto) AS netto FROM wepos WHERE wenr = coalesce(NEW.wenr, OLD.wenr)) AS s
  WHERE wenr = coalesce(NEW.wenr, OLD.wenr);
  IF OLD.best_nr IS NOT NULL AND (TG_OP = 'DELETE' OR NEW.best_pos IS DISTINCT FROM OLD.best_pos) THEN
    PERFORM wareneingang_rechnen(OLD.best_nr, OLD.best_pnr);
  END IF;
  IF NEW.best_nr IS NOT NULL THEN
    PERFORM wareneingang_rechnen(NEW.best_nr, NEW.best_pnr);
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER wepos_melden AFTER INSERT OR DELETE OR UPDATE OF menge, mg_abgelehnt, preis, best_pos ON wepos FOR EACH ROW EXECUTE FUNCTION wepos_melden();

-- Cancelling a receipt, or turning it into a return, changes these quantities.
CREATE FUNCTION wekopf_melden() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  PERFORM wareneingang_rechnen(best_nr, best_pnr) FROM wepos WHERE wenr = NEW.wenr AND best_nr IS NOT NULL;
  RETURN NULL;
END $$;
CREATE TRIGGER wekopf_melden AFTER UPDATE OF status, kz_retour, zeit ON wekopf FOR EACH ROW EXECUTE FUNCTION wekopf_melden();

-- A changed receipt marks its order as changed.
CREATE FUNCTION wekopf_meldet_bestellung() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  UPDATE bestkopf SET changed_at = now() WHERE bestnr IN (OLD.bestnr, NEW.bestnr) AND status NOT IN ('A', 'S');
  RETURN NULL;
END $$;
CREATE TRIGGER wekopf_meldet_bestellung AFTER INSERT OR DELETE OR UPDATE OF bestnr ON wekopf FOR EACH ROW EXECUTE FUNCTION wekopf_meldet_bestellung();

-- A changed bank account marks its vendor as changed.
CREATE TRIGGER oberen_melden AFTER INSERT OR UPDATE OR DELETE ON bankkto FOR EACH ROW
  EXECUTE FUNCTION oberen_melden('lief', 'liefnr', 'eigner', 'eigner_art', 'L');
