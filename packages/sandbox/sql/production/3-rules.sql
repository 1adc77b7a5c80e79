-- Rules of production: what the system fills in, and what it refuses.

CALL kennung_vergeben('arbplatz', 'apkz', 'WC-', 'apnr');
CALL kennung_vergeben('arbplan', 'plkz', 'RT-', 'plnr');
CALL kennung_vergeben('stueckliste', 'stlkz', 'BOM-', 'stlnr');
CALL kennung_vergeben('fauf', 'faufkz', 'MO-', 'faufnr');
CALL kennung_vergeben('favorgang', 'favkz', 'OP-', 'favnr');
CALL kennung_vergeben('aufmat', 'matkz', 'OM-', 'matnr');
CALL kennung_vergeben('aufres', 'reskz', 'OR-', 'resnr');

-- Bills of materials. An item has one default bill: the one that was marked last.
CREATE FUNCTION stueckliste_ergaenzen() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  NEW.eh := coalesce(NEW.eh, (SELECT meins FROM artikel WHERE artid = NEW.artid));
  NEW.waehr := coalesce(NEW.waehr, 'EUR');
  RETURN NEW;
END $$;
CREATE TRIGGER b_stueckliste_ergaenzen BEFORE INSERT ON stueckliste FOR EACH ROW EXECUTE FUNCTION stueckliste_ergaenzen();

CREATE FUNCTION vorgabe_abloesen() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  EXECUTE format('UPDATE %I SET vorgabe = ''N'' WHERE artid = $1 AND vorgabe = ''J'' AND %I <> $2', TG_TABLE_NAME, TG_ARGV[0])
    USING NEW.artid, (to_jsonb(NEW) ->> TG_ARGV[0])::bigint;
  RETURN NULL;
END $$;
CREATE TRIGGER vorgabe_abloesen AFTER INSERT OR UPDATE OF vorgabe ON stueckliste FOR EACH ROW WHEN (NEW.vorgabe = 'J')
  EXECUTE FUNCTION vorgabe_abloesen('stlnr');
CREATE TRIGGER vorgabe_abloesen AFTER INSERT OR UPDATE OF vorgabe ON arbplan FOR EACH ROW WHEN (NEW.vorgabe = 'J')
  EXECUTE FUNCTION vorgabe_abloesen('plnr');

CREATE FUNCTION stlpos_pruefen() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  part artikel;
  bill stueckliste;
BEGIN
  SELECT * INTO bill FROM stueckliste WHERE stlnr = NEW.stlnr;
  SELECT * INTO part FROM artikel WHERE artid = NEW.artid;
  IF NEW.artid = bill.artid OR EXISTS (
    WITH RECURSIVE below AS (SELECT NEW.unter_stl AS stlnr UNION SELECT p.unter_stl FROM below JOIN stlpos p USING (stlnr) WHERE p.unter_stl IS NOT NULL)
    SELECT FROM below WHERE stlnr = NEW.stlnr) THEN
    RAISE EXCEPTION 'ST-011: bill of materials % would contain itself through item %', bill.stlkz, part.artnr;
  END IF;
  NEW.text := coalesce(NEW.text, part.bez);
  NEW.eh := coalesce(NEW.eh, part.meins);
  NEW.preis := coalesce(NEW.preis, part.std_ct / 100.0);
  RETURN NEW;
END $$;
CREATE TRIGGER b_stlpos_pruefen BEFORE INSERT OR UPDATE ON stlpos FOR EACH ROW EXECUTE FUNCTION stlpos_pruefen();

-- Changed components mark their bill as changed, changed operations their routing, changed routings their bills.
CREATE TRIGGER oberen_melden AFTER INSERT OR UPDATE OR DELETE ON stlpos FOR EACH ROW EXECUTE FUNCTION oberen_melden('stueckliste', 'stlnr');
CREATE TRIGGER oberen_melden AFTER INSERT OR UPDATE OR DELETE ON plvorgang FOR EACH ROW EXECUTE FUNCTION oberen_melden('arbplan', 'plnr');
CREATE TRIGGER oberen_melden AFTER UPDATE ON arbplan FOR EACH ROW EXECUTE FUNCTION oberen_melden('stueckliste', 'plnr');

-- Production orders.
CREATE FUNCTION fauf_pruefen() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE product artikel;
BEGIN
  IF TG_OP = 'DELETE' THEN
    IF OLD.status NOT IN ('00', '10', '20', '90') THEN
      RAISE EXCEPTION 'FA-021: production order % has begun and cannot be deleted; close it instead', OLD.faufkz;
    END IF;
    RETURN OLD;
  END IF;
  IF TG_OP = 'UPDATE' THEN
    IF OLD.status IN ('80', '90') AND NEW.status = OLD.status THEN
      RAISE EXCEPTION 'FA-030: production order % is finished and cannot be changed; reopen it first', OLD.faufkz;
    END IF;
    RETURN NEW;
  END IF;
  SELECT * INTO product FROM artikel WHERE artid = NEW.artid;
  IF product.gesperrt = 'X' THEN
    RAISE EXCEPTION 'AR-022: item % is blocked for production', product.artnr;
  END IF;
  IF product.art = 'DIEN' OR product.kz_varianten = 'J' THEN
    RAISE EXCEPTION 'AR-023: item % is a %, which cannot be made', product.artnr, CASE WHEN product.kz_varianten = 'J' THEN 'template' ELSE 'service' END;
  END IF;
  NEW.text := coalesce(NEW.text, product.bez);
  NEW.eh := coalesce(NEW.eh, product.meins);
  NEW.waehr := coalesce(NEW.waehr, 'EUR');
  NEW.stlnr := coalesce(NEW.stlnr, (SELECT stlnr FROM stueckliste WHERE artid = NEW.artid AND vorgabe = 'J' AND gesperrt = ' '));
  NEW.plnr := coalesce(NEW.plnr, (SELECT plnr FROM arbplan WHERE artid = NEW.artid AND vorgabe = 'J' AND gesperrt = ' '));
  RETURN NEW;
END $$;
CREATE TRIGGER b_fauf_pruefen BEFORE INSERT OR UPDATE OR DELETE ON fauf FOR EACH ROW EXECUTE FUNCTION fauf_pruefen();

-- A new order gets the operations of its routing, one after the other, and the material of its bill; phantom parts are
-- replaced by their components.
CREATE FUNCTION fauf_aufloesen() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE ab timestamptz := zeit_aus(NEW.plan_von);
BEGIN
  INSERT INTO favorgang (faufnr, vornr, bez, text, apnr, soll_min, losgr, satz_ct, soll_von, soll_bis)
  SELECT NEW.faufnr, vornr, bez, text, apnr, dauer, losgr, satz_ct, zeit_text(ab + (ende - dauer) * interval '1 minute'),
    zeit_text(ab + ende * interval '1 minute')
  FROM (SELECT *, sum(dauer + coalesce(warte_min, 0) + coalesce(transport_min, 0)) OVER (ORDER BY vornr) - coalesce(transport_min, 0) AS ende
        FROM (SELECT *, coalesce(ruest_min, 0) + coalesce(stueck_min, 0) * NEW.menge AS dauer FROM plvorgang WHERE plnr = NEW.plnr) AS v) AS w;
  INSERT INTO aufmat (bezug_art, bezug, pos, artid, text, mg_soll, eh, platznr, preis, waehr, bedarf, kz_lager)
  WITH RECURSIVE teil AS (
    SELECT stlnr, NEW.menge / menge AS faktor FROM stueckliste WHERE stlnr = NEW.stlnr
    UNION ALL
    SELECT u.stlnr, t.faktor * p.menge / u.menge FROM teil t JOIN stlpos p USING (stlnr) JOIN stueckliste u ON u.stlnr = p.unter_stl WHERE p.kz_durch = 'J')
  SELECT 'F', NEW.faufnr, to_char(10 * row_number() OVER (ORDER BY p.stlnr, p.posnr), 'FM0000'), p.artid, p.text,
    round(t.faktor * p.menge * (1 + coalesce(p.ausschuss, 0) / 100), 3), p.eh, p.platznr, p.preis, NEW.waehr,
    tag_mit_punkten(tag_aus(NEW.plan_von)), 'J'
  FROM teil t JOIN stlpos p USING (stlnr) WHERE NOT (p.unter_stl IS NOT NULL AND coalesce(p.kz_durch, 'N') = 'J');
  RETURN NULL;
END $$;
CREATE TRIGGER fauf_aufloesen AFTER INSERT ON fauf FOR EACH ROW EXECUTE FUNCTION fauf_aufloesen();

-- The status of an operation follows from its reported times, and the status of the order from its operations.
CREATE FUNCTION favorgang_ergaenzen() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  NEW.status := CASE WHEN NEW.ist_bis IS NOT NULL THEN 'F' WHEN NEW.ist_von IS NOT NULL THEN 'B' ELSE 'O' END;
  IF TG_OP = 'INSERT' THEN
    NEW.satz_ct := coalesce(NEW.satz_ct, (SELECT satz_ct FROM arbplatz WHERE apnr = NEW.apnr));
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER b_favorgang_ergaenzen BEFORE INSERT OR UPDATE ON favorgang FOR EACH ROW EXECUTE FUNCTION favorgang_ergaenzen();

CREATE FUNCTION fauf_fortschreiben() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE v record;
BEGIN
  SELECT bool_and(status = 'F') AS fertig, bool_or(status <> 'O') AS begonnen, min(ist_von) AS von, max(ist_bis) AS bis, sum(aus_mg) AS aus,
    (array_agg(gut_mg ORDER BY vornr DESC, favnr DESC))[1] AS gut
  INTO v FROM favorgang WHERE faufnr = coalesce(NEW.faufnr, OLD.faufnr);
  UPDATE fauf SET gut_mg = coalesce(v.gut, 0), aus_mg = coalesce(v.aus, 0), beginn = coalesce(beginn, v.von),
    ende = CASE WHEN v.fertig THEN v.bis END,
    status = CASE WHEN status IN ('80', '90') THEN status WHEN v.fertig THEN '60' WHEN status = '60' OR v.begonnen AND status IN ('00', '10', '20') THEN '30' ELSE status END
  WHERE faufnr = coalesce(NEW.faufnr, OLD.faufnr);
  RETURN NULL;
END $$;
CREATE TRIGGER fauf_fortschreiben AFTER INSERT OR UPDATE OR DELETE ON favorgang FOR EACH ROW EXECUTE FUNCTION fauf_fortschreiben();

-- Materials and resources of orders.
CREATE FUNCTION bezug_pruefen(p_art text, p_bezug bigint) RETURNS text LANGUAGE plpgsql STABLE SET search_path FROM CURRENT AS $$
DECLARE found_currency text;
BEGIN
  IF p_art = 'A' THEN
    SELECT waehr INTO found_currency FROM auftrag WHERE aufid = p_bezug;
  ELSE
    SELECT waehr INTO found_currency FROM fauf WHERE faufnr = p_bezug;
  END IF;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'AM-004: order % of kind % does not exist', p_bezug, p_art;
  END IF;
  RETURN coalesce(found_currency, 'EUR');
END $$;

CREATE FUNCTION aufmat_ergaenzen() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  part artikel;
  currency text := bezug_pruefen(NEW.bezug_art, NEW.bezug);
BEGIN
  IF TG_OP = 'INSERT' THEN
    SELECT * INTO part FROM artikel WHERE artid = NEW.artid;
    NEW.text := coalesce(NEW.text, part.bez);
    NEW.eh := coalesce(NEW.eh, part.meins);
    NEW.preis := coalesce(NEW.preis, part.std_ct / 100.0);
    NEW.waehr := coalesce(NEW.waehr, currency);
    NEW.kz_lager := coalesce(NEW.kz_lager, part.kz_bestand);
  END IF;
  NEW.mg_reserviert := CASE WHEN NEW.kz_lager = 'J' THEN greatest(NEW.mg_soll - NEW.mg_ausgabe, 0) ELSE 0 END;
  RETURN NEW;
END $$;
CREATE TRIGGER b_aufmat_ergaenzen BEFORE INSERT OR UPDATE OF bezug_art, bezug, mg_soll, mg_ausgabe, kz_lager ON aufmat
  FOR EACH ROW EXECUTE FUNCTION aufmat_ergaenzen();

CREATE FUNCTION aufres_ergaenzen() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE currency text := bezug_pruefen(NEW.bezug_art, NEW.bezug);
BEGIN
  IF TG_OP = 'INSERT' THEN
    NEW.satz_ct := coalesce(NEW.satz_ct, (SELECT zahl_aus(satz) * 100 FROM kapazitaet WHERE kapnr = NEW.kapnr));
    NEW.waehr := coalesce(NEW.waehr, currency);
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER b_aufres_ergaenzen BEFORE INSERT OR UPDATE OF bezug_art, bezug ON aufres FOR EACH ROW EXECUTE FUNCTION aufres_ergaenzen();

-- A work order stores the total cost of labor, material and services; a production order is only marked as changed for
-- the data warehouse, which computes its cost.
CREATE FUNCTION auftrag_belasten(p_art text, p_bezug bigint, p_lohn numeric, p_material numeric, p_fremd numeric) RETURNS void
LANGUAGE sql SET search_path FROM CURRENT AS $$
  UPDATE auftrag SET lohn_ct = coalesce(lohn_ct + p_lohn, nullif(p_lohn, 0)), mat_ct = coalesce(mat_ct + p_material, nullif(p_material, 0)),
    fremd_ct = coalesce(fremd_ct + p_fremd, nullif(p_fremd, 0))
  WHERE p_art = 'A' AND aufid = p_bezug;
  -- An order that is being closed is already marked, and can no longer be changed.
  UPDATE fauf SET changed_at = now() WHERE p_art = 'F' AND faufnr = p_bezug AND changed_at < now()
$$;

CREATE FUNCTION aufmat_belasten() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  PERFORM auftrag_belasten(OLD.bezug_art, OLD.bezug, 0, -coalesce(OLD.wert, 0) * 100, 0);
  PERFORM auftrag_belasten(NEW.bezug_art, NEW.bezug, 0, coalesce(NEW.wert, 0) * 100, 0);
  RETURN NULL;
END $$;
CREATE TRIGGER aufmat_belasten AFTER INSERT OR DELETE OR UPDATE OF bezug_art, bezug, mg_soll, mg_ausgabe, mg_retour, preis ON aufmat
  FOR EACH ROW EXECUTE FUNCTION aufmat_belasten();

CREATE FUNCTION aufres_belasten() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  before bigint := coalesce(OLD.kosten_ct, 0);
  after bigint := coalesce(NEW.kosten_ct, 0);
BEGIN
  PERFORM auftrag_belasten(OLD.bezug_art, OLD.bezug, CASE WHEN OLD.art <> 'F' THEN -before ELSE 0 END, 0, CASE WHEN OLD.art = 'F' THEN -before ELSE 0 END);
  PERFORM auftrag_belasten(NEW.bezug_art, NEW.bezug, CASE WHEN NEW.art <> 'F' THEN after ELSE 0 END, 0, CASE WHEN NEW.art = 'F' THEN after ELSE 0 END);
  RETURN NULL;
END $$;
CREATE TRIGGER aufres_belasten AFTER INSERT OR DELETE OR UPDATE OF bezug_art, bezug, art, ist_std, satz_ct ON aufres
  FOR EACH ROW EXECUTE FUNCTION aufres_belasten();

-- Reservations of a finished order are released; the materials and resources of a deleted one are deleted.
CREATE FUNCTION reservierung_folgen() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  UPDATE aufmat SET mg_reserviert = CASE WHEN NEW.status <> ALL (string_to_array(TG_ARGV[2], ' ')) AND kz_lager = 'J'
    THEN greatest(mg_soll - mg_ausgabe, 0) ELSE 0 END
  WHERE bezug_art = TG_ARGV[0] AND bezug = (to_jsonb(NEW) ->> TG_ARGV[1])::bigint;
  RETURN NULL;
END $$;
CREATE TRIGGER reservierung_folgen AFTER UPDATE OF status ON fauf FOR EACH ROW WHEN (NEW.status <> OLD.status)
  EXECUTE FUNCTION reservierung_folgen('F', 'faufnr', '80 90');
CREATE TRIGGER reservierung_folgen AFTER UPDATE OF status ON auftrag FOR EACH ROW WHEN (NEW.status <> OLD.status)
  EXECUTE FUNCTION reservierung_folgen('A', 'aufid', '50 90');

CREATE FUNCTION bedarf_loeschen() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  DELETE FROM aufmat WHERE bezug_art = TG_ARGV[0] AND bezug = (to_jsonb(OLD) ->> TG_ARGV[1])::bigint;
  DELETE FROM aufres WHERE bezug_art = TG_ARGV[0] AND bezug = (to_jsonb(OLD) ->> TG_ARGV[1])::bigint;
  RETURN NULL;
END $$;
CREATE TRIGGER bedarf_loeschen AFTER DELETE ON fauf FOR EACH ROW EXECUTE FUNCTION bedarf_loeschen('F', 'faufnr');
CREATE TRIGGER bedarf_loeschen AFTER DELETE ON auftrag FOR EACH ROW EXECUTE FUNCTION bedarf_loeschen('A', 'aufid');
