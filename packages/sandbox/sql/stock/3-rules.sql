-- Rules of the warehouse: what the system fills in, and what it refuses.

CALL kennung_vergeben('fach', 'kz', 'BIN-', 'fachnr');
CALL kennung_vergeben('bestand', 'kz', 'ST-', 'bestandnr');
CALL kennung_vergeben('bezug', 'kz', 'SUP-', 'bezugnr');
CALL kennung_vergeben('lagerbeleg', 'belegnr', 'INV-', 'lbnr');
CALL kennung_vergeben('bewegung', 'kz', 'MV-', 'bewnr');
CALL kennung_vergeben('ausgabe', 'kz', 'DIS-', 'ausgnr');

CREATE FUNCTION fach_gehoert(p_fach bigint, p_platz bigint) RETURNS void LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE f fach;
BEGIN
  SELECT * INTO f FROM fach WHERE fachnr = p_fach;
  IF f.platznr <> p_platz THEN
    RAISE EXCEPTION 'FA-011: bin % is not at location %', f.kz, (SELECT kz FROM platz WHERE platznr = p_platz);
  END IF;
END $$;

-- Stock.
CREATE FUNCTION bestand_pruefen() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  PERFORM fach_gehoert(NEW.fachnr, NEW.platznr);
  IF TG_OP = 'INSERT' THEN
    NEW.eh := coalesce(NEW.eh, (SELECT meins FROM artikel WHERE artid = NEW.artid));
    NEW.zustand := coalesce(NEW.zustand, 'F');
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER b_bestand_pruefen BEFORE INSERT OR UPDATE ON bestand FOR EACH ROW EXECUTE FUNCTION bestand_pruefen();

CREATE FUNCTION bestand_summieren() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  UPDATE artikel SET bestand = (SELECT sum(menge) FROM bestand b WHERE b.artid = artikel.artid) WHERE artid IN (NEW.artid, OLD.artid);
  RETURN NULL;
END $$;
CREATE TRIGGER bestand_summieren AFTER INSERT OR UPDATE OF menge, artid OR DELETE ON bestand FOR EACH ROW EXECUTE FUNCTION bestand_summieren();

-- Supply options. The preferred vendor of an item is the vendor of its preferred option.
CREATE FUNCTION bezug_pruefen() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  IF tag_aus(NEW.gueltig_bis) < tag_aus(NEW.gueltig_ab) THEN
    RAISE EXCEPTION 'BQ-011: the price cannot end on % before it begins on %', NEW.gueltig_bis, NEW.gueltig_ab;
  END IF;
  IF TG_OP = 'INSERT' THEN
    NEW.eh := coalesce(NEW.eh, (SELECT coalesce(bestell_eh, meins) FROM artikel WHERE artid = NEW.artid));
    NEW.waehr := coalesce(NEW.waehr, partner_waehrung(NULL, NEW.liefnr));
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER b_bezug_pruefen BEFORE INSERT OR UPDATE ON bezug FOR EACH ROW EXECUTE FUNCTION bezug_pruefen();

CREATE FUNCTION bezug_melden() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  IF NEW.kz_haupt = 'J' THEN
    UPDATE bezug SET kz_haupt = 'N' WHERE artid = NEW.artid AND bezugnr <> NEW.bezugnr AND kz_haupt = 'J';
    UPDATE artikel SET hauptlief = NEW.liefnr WHERE artid = NEW.artid;
  END IF;
  UPDATE artikel SET changed_at = now() WHERE artid IN (NEW.artid, OLD.artid);
  RETURN NULL;
END $$;
CREATE TRIGGER bezug_melden AFTER INSERT OR UPDATE OR DELETE ON bezug FOR EACH ROW EXECUTE FUNCTION bezug_melden();

-- Movements: each one changes the stock of its location, or is refused.
CREATE FUNCTION bewegung_buchen() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  article artikel;
  level bestand;
  faktor numeric;
  davor numeric;
BEGIN
  IF NEW.art IN ('ZU', 'RK', 'UZ', 'PR') AND NEW.menge < 0 OR NEW.art IN ('AB', 'UA', 'VB', 'AU') AND NEW.menge > 0 THEN
    RAISE EXCEPTION 'BW-011: a movement of kind % cannot have the quantity %', NEW.art, NEW.menge;
  END IF;
  PERFORM fach_gehoert(NEW.fachnr, NEW.platznr);
  SELECT * INTO article FROM artikel WHERE artid = NEW.artid;
  IF article.kz_bestand = 'N' OR article.kz_varianten = 'J' THEN
    RAISE EXCEPTION 'BW-017: item % is %, which has no stock', article.artnr, CASE WHEN article.kz_varianten = 'J' THEN 'a template; use one of its variants' ELSE 'not kept in stock' END;
  END IF;
  IF NEW.menge > 0 AND article.chargen = 'C' AND NEW.charge IS NULL THEN
    RAISE EXCEPTION 'BW-014: item % is tracked by lot; send the lot of the goods', article.artnr;
  END IF;
  faktor := mengenfaktor(NEW.artid, NEW.eh);
  NEW.menge := NEW.menge * faktor;
  NEW.kosten_ct := NEW.kosten_ct / faktor;
  NEW.eh := coalesce(article.meins, NEW.eh);
  NEW.waehr := coalesce(NEW.waehr, article.waehr, 'EUR');
  -- Without a bin, the one with the most stock is used, preferably with usable stock; lots are never mixed.
  SELECT * INTO level FROM bestand WHERE artid = NEW.artid AND platznr = NEW.platznr AND (NEW.fachnr IS NULL OR fachnr = NEW.fachnr)
    AND (NEW.zustand IS NULL OR zustand = NEW.zustand) AND (charge IS NOT DISTINCT FROM NEW.charge OR NEW.charge IS NULL AND NEW.menge < 0)
    ORDER BY seriennr IS DISTINCT FROM NEW.seriennr, zustand IN ('Q', 'S', 'T'), menge DESC, bestandnr LIMIT 1 FOR UPDATE;
  IF NEW.art IN ('AB', 'VB') AND NEW.zustand IS NULL AND level.zustand IN ('Q', 'S', 'T') THEN
    RAISE EXCEPTION 'BW-013: stock % of item % is % and cannot be issued', level.kz, article.artnr,
      CASE level.zustand WHEN 'Q' THEN 'in quality inspection' WHEN 'S' THEN 'blocked' ELSE 'in transit' END;
  END IF;
  NEW.fachnr := coalesce(NEW.fachnr, level.fachnr);
  NEW.charge := coalesce(NEW.charge, level.charge);
  NEW.kosten_ct := coalesce(NEW.kosten_ct, zahl_aus(level.kosten) * 100, article.gld_ct);
  IF coalesce(level.menge, 0) + NEW.menge < 0 THEN
    RAISE EXCEPTION 'BW-012: only % % of item % are in stock, but % are needed', coalesce(level.menge, 0), article.meins, article.artnr, -NEW.menge;
  END IF;
  davor := coalesce(level.wert, 0);
  IF level.bestandnr IS NULL THEN
    -- Stock is kept at a cost in the currency of its item, whatever it was bought in.
    INSERT INTO bestand (artid, platznr, fachnr, charge, zustand, eh, menge, kosten, waehr, bewegt_am)
    VALUES (NEW.artid, NEW.platznr, NEW.fachnr, NEW.charge, NEW.zustand, article.meins, NEW.menge,
      betrag_text(CASE NEW.waehr WHEN coalesce(article.waehr, 'EUR') THEN round(NEW.kosten_ct) ELSE coalesce(article.gld_ct, article.ek_ct, 0) END), coalesce(article.waehr, 'EUR'), NEW.zeit)
    RETURNING * INTO level;
  ELSE
    UPDATE bestand SET menge = menge + NEW.menge, bewegt_am = greatest(bewegt_am, NEW.zeit),
      inventur_am = CASE NEW.art WHEN 'IN' THEN NEW.zeit ELSE inventur_am END
    WHERE bestandnr = level.bestandnr RETURNING * INTO level;
  END IF;
  NEW.wert := coalesce(level.wert, 0) - davor;
  NEW.wert_waehr := level.waehr;
  NEW.saldo := level.menge;
  RETURN NEW;
END $$;
CREATE TRIGGER b_bewegung_buchen BEFORE INSERT ON bewegung FOR EACH ROW EXECUTE FUNCTION bewegung_buchen();

CREATE FUNCTION bewegung_bleibt() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  IF TG_OP = 'DELETE' OR (NEW.artid, NEW.art, NEW.menge, NEW.platznr, NEW.zeit) IS DISTINCT FROM (OLD.artid, OLD.art, OLD.menge, OLD.platznr, OLD.zeit) THEN
    RAISE EXCEPTION 'BW-020: movement % is posted and cannot be changed; post a reversing movement instead', OLD.kz;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER c_bewegung_bleibt BEFORE UPDATE OR DELETE ON bewegung FOR EACH ROW EXECUTE FUNCTION bewegung_bleibt();

-- Inventory documents. Number of the bin with this code; defaults to that of the document.
CREATE FUNCTION lagerbeleg_fach(p_kz text, p_sonst bigint) RETURNS bigint LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE found bigint := (SELECT fachnr FROM fach WHERE kz = p_kz);
BEGIN
  IF p_kz IS NOT NULL AND found IS NULL THEN
    RAISE EXCEPTION 'LB-012: bin % does not exist', p_kz;
  END IF;
  RETURN coalesce(found, p_sonst);
END $$;

-- The lines of a document with the data that the system adds: number, name, unit, cost, book quantity, difference and
-- its value, and, when it is posted, the quantities that were put away, shipped and received.
CREATE FUNCTION lagerbeleg_positionen(p_beleg lagerbeleg) RETURNS jsonb LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  p record;
  found jsonb := '[]';
  article artikel;
  soll numeric;
  abw numeric;
  kosten text;
  fach bigint;
BEGIN
  FOR p IN SELECT e.value, e.ordinality FROM jsonb_array_elements(p_beleg.positionen) WITH ORDINALITY AS e LOOP
    SELECT * INTO article FROM artikel WHERE artnr = p.value ->> 'artnr';
    IF article.artid IS NULL THEN
      RAISE EXCEPTION 'LB-011: item % does not exist', p.value ->> 'artnr';
    END IF;
    fach := lagerbeleg_fach(coalesce(p.value ->> 'fach', p.value ->> 'fach_von'), p_beleg.fachnr);
    PERFORM lagerbeleg_fach(p.value ->> 'fach_nach', NULL);
    soll := (p.value ->> 'soll')::numeric;
    IF p_beleg.art = 'IN' AND soll IS NULL THEN
      soll := (SELECT coalesce(sum(menge), 0) FROM bestand WHERE artid = article.artid AND platznr = p_beleg.platznr
        AND (fach IS NULL OR fachnr = fach) AND (p.value ->> 'charge' IS NULL OR charge = p.value ->> 'charge'));
    END IF;
    abw := (p.value ->> 'gezaehlt')::numeric - soll;
    kosten := coalesce(p.value ->> 'kosten', betrag_text(article.gld_ct));
    found := found || jsonb_build_array(p.value || jsonb_build_object('pos', coalesce((p.value ->> 'pos')::integer, p.ordinality),
      'text', coalesce(p.value ->> 'text', article.bez), 'eh', coalesce(p.value ->> 'eh', article.meins), 'soll', soll,
      'abw', abw, 'abwwert', round(abw * zahl_aus(kosten), 2), 'kosten', kosten,
      'eingelagert', coalesce(p.value ->> 'eingelagert', CASE WHEN p_beleg.art = 'EL' AND p_beleg.status = 'B' THEN p.value ->> 'menge' END)::numeric,
      'versandt', coalesce(p.value ->> 'versandt', CASE WHEN p_beleg.art = 'UM' AND p_beleg.status = 'B' THEN p.value ->> 'menge' END)::numeric,
      'erhalten', coalesce(p.value ->> 'erhalten', CASE WHEN p_beleg.art = 'UM' AND p_beleg.status = 'B' THEN coalesce(p.value ->> 'versandt', p.value ->> 'menge') END)::numeric));
  END LOOP;
  RETURN found;
END $$;

CREATE FUNCTION lagerbeleg_pruefen() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND OLD.status IN ('B', 'S') AND NEW.status = OLD.status THEN
    RAISE EXCEPTION 'LB-030: document % has status % and cannot be changed', OLD.belegnr, OLD.status;
  END IF;
  CALL liste_pruefen('LAGR', NEW.grund, 'LB-015: % is not a reason for a correction');
  CALL liste_pruefen('STOR', NEW.storno_grund, 'LB-014: % is not a reason for cancellation');
  IF TG_OP = 'INSERT' THEN
    NEW.waehr := coalesce(NEW.waehr, 'EUR');
    NEW.eingefroren_am := CASE NEW.art WHEN 'IN' THEN coalesce(NEW.eingefroren_am, zeit_text(now())) ELSE NEW.eingefroren_am END;
  END IF;
  NEW.positionen := lagerbeleg_positionen(NEW);
  SELECT sum(z.menge), round(sum(coalesce(CASE NEW.art WHEN 'IN' THEN z.abw END, z.menge) * zahl_aus(z.kosten)) * 100),
    CASE WHEN NEW.status = 'S' OR NEW.art NOT IN ('KM', 'EL', 'IN', 'UM') OR count(*) = 0 THEN NULL
      WHEN NEW.art = 'UM' THEN CASE WHEN NEW.status = 'B' THEN 'F' WHEN NEW.versandt_am IS NOT NULL THEN 'L' ELSE 'O' END
      WHEN count(z.ist) = 0 AND NEW.status <> 'B' THEN CASE NEW.status WHEN 'A' THEN 'L' ELSE 'O' END
      WHEN NEW.art IN ('KM', 'EL') AND bool_or(z.ist < z.menge) THEN CASE NEW.status WHEN 'B' THEN 'K' ELSE 'L' END
      WHEN count(z.ist) < count(*) AND NEW.status <> 'B' THEN 'L' ELSE 'F' END
  INTO NEW.mg_summe, NEW.wert_ct, NEW.fortschritt
  FROM (SELECT r.*, CASE NEW.art WHEN 'IN' THEN r.gezaehlt WHEN 'KM' THEN r.entnommen WHEN 'EL' THEN coalesce(r.eingelagert, CASE WHEN NEW.eingelagert_am IS NOT NULL THEN r.menge END) END AS ist
    FROM jsonb_to_recordset(NEW.positionen) AS r (menge numeric, gezaehlt numeric, entnommen numeric, eingelagert numeric, abw numeric, kosten text)) AS z;
  RETURN NEW;
END $$;
CREATE TRIGGER b_lagerbeleg_pruefen BEFORE INSERT OR UPDATE ON lagerbeleg FOR EACH ROW EXECUTE FUNCTION lagerbeleg_pruefen();

-- Vouchers: goods issued at a location are taken from its stock, and returned goods are added to it.
CREATE FUNCTION ausgabe_pruefen() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE article artikel;
BEGIN
  IF TG_OP = 'DELETE' THEN
    IF EXISTS (SELECT FROM auftrag WHERE aufid = OLD.aufid AND status = '50') THEN
      RAISE EXCEPTION 'AG-021: voucher % is settled with its work order and cannot be deleted', OLD.kz;
    END IF;
    RETURN OLD;
  END IF;
  SELECT * INTO article FROM artikel WHERE artid = NEW.artid;
  IF TG_OP = 'INSERT' THEN
    NEW.eh := coalesce(NEW.eh, article.meins);
    NEW.waehr := coalesce(NEW.waehr, article.waehr, 'EUR');
    NEW.preis := coalesce(NEW.preis, betrag_text(article.gld_ct));
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER b_ausgabe_pruefen BEFORE INSERT OR UPDATE OR DELETE ON ausgabe FOR EACH ROW EXECUTE FUNCTION ausgabe_pruefen();

CREATE FUNCTION ausgabe_buchen() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE faktor numeric;
BEGIN
  IF TG_OP = 'UPDATE' AND (NEW.artid, NEW.platznr, NEW.fachnr, NEW.charge, NEW.menge) IS NOT DISTINCT FROM (OLD.artid, OLD.platznr, OLD.fachnr, OLD.charge, OLD.menge) THEN
    RETURN NULL;
  END IF;
  IF TG_OP <> 'INSERT' AND OLD.platznr IS NOT NULL THEN
    INSERT INTO bewegung (artid, art, menge, eh, platznr, fachnr, charge, kosten_ct, waehr, urspr_art, urspr, persnr, zeichen)
    SELECT artid, 'RK', -menge, eh, platznr, fachnr, charge, kosten_ct, waehr, urspr_art, urspr, persnr, zeichen
    FROM bewegung WHERE zeichen = OLD.kz AND art = 'AB' ORDER BY zeit DESC, bewnr DESC LIMIT 1;
  END IF;
  IF TG_OP <> 'DELETE' AND NEW.platznr IS NOT NULL THEN
    faktor := mengenfaktor(NEW.artid, NEW.eh);
    INSERT INTO bewegung (artid, art, menge, eh, platznr, fachnr, charge, kosten_ct, waehr, urspr_art, urspr, persnr, zeichen)
    VALUES (NEW.artid, 'AB', -NEW.menge * faktor, NULL, NEW.platznr, NEW.fachnr, NEW.charge, zahl_aus(NEW.preis) * 100 / faktor, NEW.waehr,
      CASE WHEN NEW.aufid IS NOT NULL THEN 'W' END, NEW.aufid, NEW.persnr, NEW.kz);
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER ausgabe_buchen AFTER INSERT OR UPDATE OR DELETE ON ausgabe FOR EACH ROW EXECUTE FUNCTION ausgabe_buchen();
