-- Rules of sales: what the system fills in, and what it refuses.

CALL kennung_vergeben('chance', 'kennung', 'OP-', 'channr');
CALL kennung_vergeben('angkopf', 'belegnr', 'QU-', 'angnr');
CALL kennung_vergeben('vkkopf', 'belegnr', 'SO-', 'vknr');
CALL kennung_vergeben('lieferung', 'belegnr', 'SH-', 'lfnr');
CALL kennung_vergeben('komm', 'belegnr', 'FU-', 'kommnr');
CALL kennung_vergeben('retoure', 'belegnr', 'RT-', 'retnr');

CREATE TRIGGER a_mandant BEFORE INSERT ON vkkopf FOR EACH ROW WHEN (NEW.mand IS NULL) EXECUTE FUNCTION mandant_bestimmen();

-- Opportunities: the stage determines whether they are won or lost.
CREATE FUNCTION chance_pruefen() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  CALL liste_pruefen('VSTU', NEW.stufe, 'CH-014: % is not a sales stage');
  CALL liste_pruefen('VERL', NEW.verlust, 'CH-015: % is not a reason for losing an opportunity');
  NEW.status := CASE NEW.stufe WHEN 'V-WON' THEN 'G' WHEN 'V-LOST' THEN 'V' ELSE 'O' END;
  IF NEW.status <> 'O' AND (TG_OP = 'INSERT' OR OLD.status = 'O') THEN
    NEW.erledigt := coalesce(NEW.erledigt, now());
  END IF;
  IF TG_OP = 'INSERT' THEN
    NEW.waehr := coalesce(NEW.waehr, partner_waehrung(NEW.kdnr, NULL));
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER b_chance_pruefen BEFORE INSERT OR UPDATE ON chance FOR EACH ROW EXECUTE FUNCTION chance_pruefen();

-- Positions of quotes and sales orders get missing values from their item, and tax, by default that of their customer or vendor.

CREATE FUNCTION vertriebspos_fuellen() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  article artikel;
  kopf jsonb;
  betrag numeric;
  satz numeric;
BEGIN
  EXECUTE format('SELECT to_jsonb(k) FROM %I AS k WHERE %I = $1', TG_ARGV[0], TG_ARGV[1]) INTO kopf USING (to_jsonb(NEW) ->> TG_ARGV[1])::bigint;
  SELECT * INTO article FROM artikel WHERE artid = NEW.artid;
  IF TG_OP = 'INSERT' AND article.gesperrt = 'X' THEN
    RAISE EXCEPTION 'AR-022: item % is blocked for sales', article.artnr;
  END IF;
  NEW.text := coalesce(NEW.text, article.bez);
  NEW.eh := coalesce(NEW.eh, article.verkauf_eh, article.meins);
  NEW.preis := coalesce(NEW.preis, round(preis_in(kopf ->> 'waehr', verkaufspreis(article), article, tag_aus(coalesce(kopf ->> 'angdat', kopf ->> 'bestdat'))) * mengenfaktor(NEW.artid, NEW.eh), 4));
  IF TG_OP = 'INSERT' OR (NEW.artid, NEW.menge, NEW.eh) IS DISTINCT FROM (OLD.artid, OLD.menge, OLD.eh) THEN
    CALL menge_pruefen(NEW.artid, NEW.menge, NEW.eh);
  END IF;
  betrag := positionswert(NEW.menge, NEW.preis, NEW.rabatt_proz, NEW.rabatt_betrag);
  IF TG_OP = 'INSERT' THEN
    NEW.stnr := coalesce(NEW.stnr, steuer_bestimmen(CASE kopf ->> 'art' WHEN 'E' THEN 'K' ELSE 'D' END, coalesce(kopf ->> 'mand', '010'),
      (kopf ->> 'kdnr')::bigint, (kopf ->> 'liefnr')::bigint, NEW.artid));
  END IF;
  satz := steuerprozent(NEW.stnr) / 100;
  NEW.ust := round(betrag * satz / CASE kopf ->> 'kz_brutto' WHEN 'J' THEN 1 + satz ELSE 1 END, 2);
  RETURN NEW;
END $$;
CREATE TRIGGER b_fuellen BEFORE INSERT OR UPDATE ON angpos FOR EACH ROW EXECUTE FUNCTION vertriebspos_fuellen('angkopf', 'angnr');
CREATE TRIGGER b_fuellen BEFORE INSERT OR UPDATE ON vkpos FOR EACH ROW EXECUTE FUNCTION vertriebspos_fuellen('vkkopf', 'vknr');

-- Quotes.
CREATE FUNCTION angkopf_pruefen() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND OLD.status IN ('W', 'S') AND NEW.status = OLD.status THEN
    RAISE EXCEPTION 'AN-030: quote % was converted or withdrawn and cannot be changed', OLD.belegnr;
  END IF;
  CALL liste_pruefen('STOR', NEW.grund, 'AN-014: % is not a reason for cancellation');
  NEW.art := coalesce(NEW.art, CASE WHEN NEW.kdnr IS NULL THEN 'E' ELSE 'V' END);
  IF NEW.art = 'V' AND NEW.kdnr IS NULL OR NEW.art = 'E' AND NEW.liefnr IS NULL THEN
    RAISE EXCEPTION 'AN-011: a quote that the company makes needs a customer; one that it requests needs a vendor';
  END IF;
  IF NEW.anfnr IS NOT NULL AND NOT EXISTS (
    SELECT FROM anfrage WHERE anfnr = NEW.anfnr AND NEW.art = 'E' AND NEW.liefnr::text = ANY (string_to_array(lieferanten, ' '))) THEN
    RAISE EXCEPTION 'AN-015: a quote for a request must come from a vendor that was invited to quote';
  END IF;
  IF TG_OP = 'INSERT' THEN
    NEW.waehr := coalesce(NEW.waehr, partner_waehrung(NEW.kdnr, NEW.liefnr));
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER b_angkopf_pruefen BEFORE INSERT OR UPDATE ON angkopf FOR EACH ROW EXECUTE FUNCTION angkopf_pruefen();

CREATE FUNCTION angkopf_rechnen() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  UPDATE angkopf SET (netto_ct, pos_ust_ct) = (SELECT sum(netto) * 100, sum(ust) * 100 FROM angpos WHERE angnr = coalesce(NEW.angnr, OLD.angnr))
  WHERE angnr = coalesce(NEW.angnr, OLD.angnr);
  RETURN NULL;
END $$;
CREATE TRIGGER angkopf_rechnen AFTER INSERT OR DELETE OR UPDATE ON angpos FOR EACH ROW EXECUTE FUNCTION angkopf_rechnen();

-- Recomputes the positions when their prices start or stop including tax.
CREATE FUNCTION positionen_neu() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  EXECUTE format('UPDATE %I SET menge = menge WHERE %I = $1', TG_ARGV[0], TG_ARGV[1]) USING (to_jsonb(NEW) ->> TG_ARGV[1])::bigint;
  RETURN NULL;
END $$;
CREATE TRIGGER positionen_neu AFTER UPDATE OF kz_brutto ON angkopf FOR EACH ROW WHEN (OLD.kz_brutto IS DISTINCT FROM NEW.kz_brutto)
  EXECUTE FUNCTION positionen_neu('angpos', 'angnr');
CREATE TRIGGER positionen_neu AFTER UPDATE OF kz_brutto ON vkkopf FOR EACH ROW WHEN (OLD.kz_brutto IS DISTINCT FROM NEW.kz_brutto)
  EXECUTE FUNCTION positionen_neu('vkpos', 'vknr');
CREATE TRIGGER positionen_neu AFTER UPDATE OF kz_brutto ON bestkopf FOR EACH ROW WHEN (OLD.kz_brutto IS DISTINCT FROM NEW.kz_brutto)
  EXECUTE FUNCTION positionen_neu('bestpos', 'bestnr');

CREATE TRIGGER oberen_melden AFTER INSERT OR DELETE OR UPDATE OF channr ON angkopf FOR EACH ROW EXECUTE FUNCTION oberen_melden('chance', 'channr');

-- Sales orders. In finished ones, only the columns that the system maintains can change.
CREATE FUNCTION vkkopf_pruefen() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  own text[] := ARRAY['changed_at', 'zahl_status', 'vers_status', 'versandt', 'netto_ct', 'pos_rabatt_ct', 'pos_ust_ct', 'rabatte_ct', 'ust_ct', 'summe_ct'];
  customer kunde;
BEGIN
  IF TG_OP = 'UPDATE' AND OLD.status IN ('60', '90') AND NEW.status = OLD.status AND to_jsonb(NEW) - own IS DISTINCT FROM to_jsonb(OLD) - own THEN
    RAISE EXCEPTION 'VK-030: sales order % is finished; reopen it first', OLD.belegnr;
  END IF;
  CALL status_pruefen('VKA', NEW.status, 'VK-002: status % is not known for sales orders');
  CALL liste_pruefen('STOR', NEW.grund, 'VK-014: % is not a reason for closing or cancellation');
  SELECT * INTO customer FROM kunde WHERE kdnr = NEW.kdnr;
  IF (TG_OP = 'INSERT' OR NEW.kdnr <> OLD.kdnr) AND customer.kz_gesperrt <> 'N' THEN
    RAISE EXCEPTION 'KD-017: customer % (%) is blocked for sales orders', customer.suchbegr, customer.name1;
  END IF;
  IF TG_OP = 'UPDATE' AND NEW.kdnr <> OLD.kdnr AND EXISTS (SELECT FROM vkpos WHERE vknr = NEW.vknr AND (mg_versand > 0 OR auf_rechnungen(vknr || '/' || posnr) > 0)) THEN
    RAISE EXCEPTION 'VK-034: sales order % has shipments or invoices to its customer; close it and enter a new one', OLD.belegnr;
  END IF;
  NEW.waehr := coalesce(NEW.waehr, customer.waehr, 'EUR');
  IF NEW.status NOT IN ('10', '90') THEN
    NEW.freigabe := coalesce(NEW.freigabe, now());
  END IF;
  NEW.abschluss := CASE WHEN NEW.status IN ('60', '90') THEN coalesce(NEW.abschluss, now()) END;
  IF NEW.status = '90' AND NEW.zahl_status = 'O' THEN
    NEW.zahl_status := 'S';
  ELSIF NEW.status <> '90' AND NEW.zahl_status = 'S' THEN
    NEW.zahl_status := 'O';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER b_vkkopf_pruefen BEFORE INSERT OR UPDATE ON vkkopf FOR EACH ROW EXECUTE FUNCTION vkkopf_pruefen();

-- Status of a sales order that follows from its shipped and invoiced quantities.
CREATE FUNCTION vk_status(nr bigint) RETURNS text LANGUAGE sql STABLE SET search_path FROM CURRENT AS $$
  SELECT CASE WHEN coalesce(bool_and(mg_versand >= menge) FILTER (WHERE typ = 'A'), true) AND bool_and(mg_rechnung >= menge) THEN '50'
              WHEN bool_and(mg_versand >= menge) FILTER (WHERE typ = 'A') THEN '40'
              WHEN bool_or(mg_versand > 0) THEN '30' ELSE '20' END
  FROM vkpos WHERE vknr = nr
$$;

-- Updates a sales order: totals, shipped quantities, shipping status.
CREATE PROCEDURE vk_nachrechnen(nr bigint) LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  UPDATE vkpos p SET mg_versand = s.menge, mg_rueckstand = CASE WHEN s.stand = '30' AND p.typ = 'A' THEN greatest(p.menge - s.menge, 0) ELSE 0 END
  FROM (SELECT v.posnr, k.status AS stand, coalesce(sum(l.menge) FILTER (WHERE d.status IN ('U', 'Z')), 0) AS menge
        FROM vkpos v JOIN vkkopf k USING (vknr) LEFT JOIN lieferpos l ON l.vkpos = v.vknr || '/' || v.posnr LEFT JOIN lieferung d ON d.lfnr = l.lfnr
        WHERE v.vknr = nr GROUP BY v.posnr, k.status) AS s
  WHERE p.vknr = nr AND p.posnr = s.posnr;
  UPDATE vkkopf SET (netto_ct, pos_ust_ct, pos_rabatt_ct) =
      (SELECT sum(netto) * 100, sum(ust) * 100, sum(positionswert(menge, preis) - netto) * 100 FROM vkpos WHERE vknr = nr),
    versandt = CASE WHEN vk_status(nr) IN ('40', '50') THEN (SELECT max(zeit_aus(versandt)) FROM lieferung WHERE vknr = nr) END,
    vers_status = CASE WHEN status = '90' THEN 'S'
      WHEN (SELECT bool_and(mg_retour >= menge) FROM vkpos WHERE vknr = nr AND typ = 'A') THEN 'R'
      WHEN vk_status(nr) IN ('40', '50') THEN CASE WHEN EXISTS (SELECT FROM lieferung WHERE vknr = nr AND status = 'U') THEN 'V' ELSE 'Z' END
      WHEN vk_status(nr) = '30' THEN 'T' ELSE 'O' END
  WHERE vknr = nr;
END $$;

CREATE FUNCTION vkpos_pruefen() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  k vkkopf;
  berechnet numeric;
BEGIN
  SELECT * INTO k FROM vkkopf WHERE vknr = coalesce(NEW.vknr, OLD.vknr);
  IF k.status IN ('60', '90') AND (TG_OP <> 'UPDATE' OR (NEW.menge, NEW.artid) IS DISTINCT FROM (OLD.menge, OLD.artid)) THEN
    RAISE EXCEPTION 'VK-030: sales order % is finished; reopen it first', k.belegnr;
  END IF;
  IF TG_OP = 'DELETE' OR TG_OP = 'UPDATE' AND (NEW.menge < OLD.menge OR NEW.artid IS DISTINCT FROM OLD.artid) THEN
    berechnet := auf_rechnungen(OLD.vknr || '/' || OLD.posnr);
  END IF;
  IF TG_OP = 'DELETE' AND (OLD.mg_versand > 0 OR berechnet > 0) THEN
    RAISE EXCEPTION 'VK-031: line % of sales order % has shipments or invoices and cannot be removed', OLD.posnr, k.belegnr;
  ELSIF TG_OP = 'UPDATE' AND NEW.menge < greatest(OLD.mg_versand, berechnet) THEN
    RAISE EXCEPTION 'VK-032: line % of sales order %: % were shipped and % invoiced, so its quantity cannot be %; return or credit them first',
      OLD.posnr, k.belegnr, OLD.mg_versand, berechnet, NEW.menge;
  ELSIF TG_OP = 'UPDATE' AND NEW.artid IS DISTINCT FROM OLD.artid AND (OLD.mg_versand > 0 OR berechnet > 0) THEN
    RAISE EXCEPTION 'VK-033: line % of sales order % has shipments or invoices; its item cannot be changed. Add another line', OLD.posnr, k.belegnr;
  END IF;
  RETURN coalesce(NEW, OLD);
END $$;
CREATE TRIGGER b_vkpos_pruefen BEFORE INSERT OR DELETE OR UPDATE OF menge, artid ON vkpos FOR EACH ROW EXECUTE FUNCTION vkpos_pruefen();

CREATE FUNCTION vkkopf_rechnen() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  CALL vk_nachrechnen(coalesce(NEW.vknr, OLD.vknr));
  RETURN NULL;
END $$;
CREATE TRIGGER vkkopf_rechnen AFTER INSERT OR DELETE OR UPDATE OF menge, preis, rabatt_proz, rabatt_betrag, stnr, mg_rechnung, mg_retour ON vkpos
  FOR EACH ROW EXECUTE FUNCTION vkkopf_rechnen();
CREATE TRIGGER vkkopf_rechnen AFTER UPDATE OF status ON vkkopf FOR EACH ROW WHEN (OLD.status <> NEW.status) EXECUTE FUNCTION vkkopf_rechnen();

-- Deliveries.
CREATE FUNCTION lieferung_pruefen() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND OLD.status IN ('Z', 'S') AND NEW.status = OLD.status THEN
    RAISE EXCEPTION 'LI-030: shipment % is finished and cannot be changed', OLD.belegnr;
  END IF;
  IF TG_OP = 'INSERT' THEN
    NEW.richtung := coalesce(NEW.richtung, 'A');
    NEW.kdnr := coalesce(NEW.kdnr, (SELECT kdnr FROM vkkopf WHERE vknr = NEW.vknr));
  END IF;
  IF NEW.status = 'Z' THEN
    NEW.versandt := coalesce(NEW.versandt, zeit_text(NEW.zugestellt));
  ELSIF NEW.status IN ('E', 'P') AND NEW.versandt IS NOT NULL THEN
    NEW.status := 'U';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER b_lieferung_pruefen BEFORE INSERT OR UPDATE ON lieferung FOR EACH ROW EXECUTE FUNCTION lieferung_pruefen();

CREATE FUNCTION lieferpos_pruefen() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  d lieferung;
  k vkkopf;
  p vkpos;
  weg numeric;
  article artikel;
BEGIN
  SELECT * INTO d FROM lieferung WHERE lfnr = coalesce(NEW.lfnr, OLD.lfnr);
  IF d.status IN ('Z', 'S') THEN
    RAISE EXCEPTION 'LI-030: shipment % is finished and cannot be changed', d.belegnr;
  END IF;
  IF TG_OP = 'DELETE' THEN
    RETURN OLD;
  END IF;
  SELECT * INTO article FROM artikel WHERE artid = NEW.artid;
  NEW.text := coalesce(NEW.text, article.bez);
  NEW.eh := coalesce(NEW.eh, article.meins);
  IF NEW.vkpos IS NULL THEN
    RETURN NEW;
  END IF;
  SELECT * INTO k FROM vkkopf WHERE vknr = d.vknr FOR UPDATE;
  SELECT * INTO p FROM vkpos WHERE vknr = d.vknr AND vknr || '/' || posnr = NEW.vkpos;
  IF p.vknr IS NULL THEN
    RAISE EXCEPTION 'LI-041: line % does not belong to sales order %', NEW.vkpos, coalesce(k.belegnr, 'of the shipment');
  END IF;
  IF k.status NOT IN ('20', '30', '40', '50') THEN
    RAISE EXCEPTION 'LI-043: sales order % has status % and cannot be shipped', k.belegnr, k.status;
  END IF;
  IF NEW.artid IS NULL THEN
    RAISE EXCEPTION 'LI-044: line % of sales order % has no item and cannot be shipped', p.posnr, k.belegnr;
  END IF;
  SELECT coalesce(sum(l.menge), 0) + NEW.menge INTO weg FROM lieferpos l JOIN lieferung o USING (lfnr)
  WHERE l.vkpos = NEW.vkpos AND o.status <> 'S' AND (l.lfnr, l.posnr) <> (NEW.lfnr, NEW.posnr);
  IF weg > p.menge THEN
    RAISE EXCEPTION 'LI-042: line % of sales order %: % would be shipped, but only % were ordered', p.posnr, k.belegnr, weg, p.menge;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER b_lieferpos_pruefen BEFORE INSERT OR UPDATE OR DELETE ON lieferpos FOR EACH ROW EXECUTE FUNCTION lieferpos_pruefen();

-- Deliveries update their sales orders.
CREATE PROCEDURE vk_verfolgen(nr bigint) LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  CALL vk_nachrechnen(nr);
  UPDATE vkkopf SET status = vk_status(nr) WHERE vknr = nr AND status IN ('20', '30', '40') AND status <> vk_status(nr);
END $$;

CREATE FUNCTION lieferung_meldet() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  CALL vk_verfolgen(OLD.vknr);
  IF NEW.vknr IS DISTINCT FROM OLD.vknr THEN
    CALL vk_verfolgen(NEW.vknr);
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER lieferung_meldet AFTER INSERT OR DELETE OR UPDATE OF vknr, status, versandt ON lieferung FOR EACH ROW EXECUTE FUNCTION lieferung_meldet();

CREATE FUNCTION lieferpos_meldet() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE nr bigint := (SELECT vknr FROM lieferung WHERE lfnr = coalesce(NEW.lfnr, OLD.lfnr));
BEGIN
  CALL vk_verfolgen(nr);
  RETURN NULL;
END $$;
CREATE TRIGGER lieferpos_meldet AFTER INSERT OR DELETE OR UPDATE OF vkpos, menge ON lieferpos FOR EACH ROW EXECUTE FUNCTION lieferpos_meldet();

-- Picking.
CREATE FUNCTION komm_pruefen() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    NEW.kdnr := coalesce(NEW.kdnr, (SELECT kdnr FROM vkkopf WHERE vknr = NEW.vknr));
  END IF;
  IF NEW.erledigt IS NOT NULL AND NEW.status NOT IN ('F', 'S') THEN
    NEW.status := 'F';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER b_komm_pruefen BEFORE INSERT OR UPDATE ON komm FOR EACH ROW EXECUTE FUNCTION komm_pruefen();

-- Returns.
CREATE FUNCTION retoure_pruefen() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  IF NEW.art = 'K' AND NEW.kdnr IS NULL OR NEW.art = 'L' AND NEW.liefnr IS NULL THEN
    RAISE EXCEPTION 'RT-011: a return from a customer needs a customer; a return to a vendor needs a vendor';
  END IF;
  CALL liste_pruefen('RETG', NEW.grund, 'RT-014: % is not a reason for a return');
  IF TG_OP = 'INSERT' THEN
    NEW.waehr := coalesce(NEW.waehr, partner_waehrung(NEW.kdnr, NEW.liefnr));
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER b_retoure_pruefen BEFORE INSERT OR UPDATE ON retoure FOR EACH ROW EXECUTE FUNCTION retoure_pruefen();

CREATE FUNCTION retpos_pruefen() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  article artikel;
  geliefert numeric;
BEGIN
  SELECT * INTO article FROM artikel WHERE artid = NEW.artid;
  NEW.text := coalesce(NEW.text, article.bez);
  NEW.eh := coalesce(NEW.eh, article.meins);
  NEW.preis := coalesce(NEW.preis, (
    SELECT preis_in(r.waehr, CASE r.art WHEN 'L' THEN article.ek_ct ELSE verkaufspreis(article) END, article, tag_aus(r.retdat)) FROM retoure r WHERE r.retnr = NEW.retnr));
  CALL liste_pruefen('RETG', NEW.grund, 'RT-014: % is not a reason for a return');
  IF NEW.bezug_art = 'V' THEN
    SELECT mg_versand INTO geliefert FROM vkpos WHERE vknr || '/' || posnr = NEW.bezug_pos;
  ELSIF NEW.bezug_art = 'B' THEN
    SELECT mg_wareneingang INTO geliefert FROM bestpos WHERE bestnr || '/' || posnr = NEW.bezug_pos;
  END IF;
  IF NEW.menge > geliefert THEN
    RAISE EXCEPTION 'RT-042: % of line % would be returned, but only % were delivered', NEW.menge, NEW.bezug_pos, geliefert;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER b_retpos_pruefen BEFORE INSERT OR UPDATE ON retpos FOR EACH ROW EXECUTE FUNCTION retpos_pruefen();

CREATE FUNCTION retoure_rechnen() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  UPDATE retoure r SET (netto_ct, ust_ct) = (SELECT sum(netto) * 100, sum(round(netto * s.satz / 100, 2)) * 100 FROM retpos WHERE retnr = r.retnr)
  FROM (SELECT k.retnr, steuerprozent(CASE k.art WHEN 'L' THEN steuer_bestimmen('K', b.mand, NULL, k.liefnr) ELSE steuer_bestimmen('D', v.mand, k.kdnr, NULL) END) AS satz
        FROM retoure k LEFT JOIN vkkopf v USING (vknr) LEFT JOIN bestkopf b ON b.bestnr = k.bestnr WHERE k.retnr = coalesce(NEW.retnr, OLD.retnr)) AS s
  WHERE r.retnr = s.retnr;
  RETURN NULL;
END $$;
CREATE TRIGGER retoure_rechnen AFTER INSERT OR DELETE OR UPDATE ON retpos FOR EACH ROW EXECUTE FUNCTION retoure_rechnen();
