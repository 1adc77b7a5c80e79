-- Rules of the system for its master data.

CALL kennung_vergeben('gjkal', 'kalkz', 'FY-', 'kalnr');
CALL kennung_vergeben('personal', 'kuerzel', 'E-', 'persnr');
CALL kennung_vergeben('werk', 'kz', 'S-', 'werknr');
CALL kennung_vergeben('platz', 'kz', 'L-', 'platznr');
CALL kennung_vergeben('konto', 'ktonr', 'A-', 'kontoid');
CALL kennung_vergeben('gp', 'gpkz', 'BP-', 'gpnr');
CALL kennung_vergeben('lief', 'suchbegr', 'V-', 'liefnr');
CALL kennung_vergeben('kunde', 'suchbegr', 'C-', 'kdnr');
CALL kennung_vergeben('adresse', 'kz', 'AD-', 'adrnr');
CALL kennung_vergeben('artikel', 'artnr', 'IT-', 'artid');
CALL kennung_vergeben('ort', 'kz', 'LO-', 'ortnr');
CALL kennung_vergeben('einheit', 'eh', 'U-', 'ehnr');
CALL kennung_vergeben('waehrung', 'wkz', 'W-', 'wnr');
CALL kennung_vergeben('land', 'lkz', 'N-', 'landnr');

-- Business partners. A vendor or customer that is entered without one gets a new partner.
CREATE FUNCTION gp_anlegen() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  IF NEW.gpnr IS NULL THEN
    INSERT INTO gp (name1, firma, beschr, waehr, kz_gesperrt, seit, bis, ust_id, mail, tel, www, bem)
    VALUES (NEW.name1, NEW.firma, NEW.beschr, NEW.waehr, NEW.kz_gesperrt, NEW.seit, NEW.bis, NEW.ust_id, NEW.mail, NEW.tel, NEW.www, NEW.bem)
    RETURNING gpnr INTO NEW.gpnr;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER b_gp_anlegen BEFORE INSERT ON lief FOR EACH ROW EXECUTE FUNCTION gp_anlegen();
CREATE TRIGGER b_gp_anlegen BEFORE INSERT ON kunde FOR EACH ROW EXECUTE FUNCTION gp_anlegen();

-- A partner has the roles of its records, and the name, tax number and website of the record that changed last.
CREATE FUNCTION gp_folgen() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  firm gp;
  nr bigint := CASE TG_OP WHEN 'DELETE' THEN OLD.gpnr ELSE NEW.gpnr END;
BEGIN
  SELECT * INTO firm FROM gp WHERE gpnr = nr;
  IF TG_OP <> 'DELETE' THEN
    firm.name1 := NEW.name1;
    firm.firma := NEW.firma;
    firm.ust_id := NEW.ust_id;
    firm.www := NEW.www;
  END IF;
  firm.kz_lief := EXISTS (SELECT FROM lief WHERE gpnr = nr AND geloescht IS NULL);
  firm.kz_kunde := EXISTS (SELECT FROM kunde WHERE gpnr = nr);
  UPDATE gp SET (name1, firma, ust_id, www, kz_lief, kz_kunde) = ROW (firm.name1, firm.firma, firm.ust_id, firm.www, firm.kz_lief, firm.kz_kunde)
  WHERE gpnr = nr AND gp IS DISTINCT FROM firm;
  RETURN NULL;
END $$;
CREATE TRIGGER gp_folgen AFTER INSERT OR DELETE OR UPDATE OF name1, firma, ust_id, www, geloescht ON lief FOR EACH ROW EXECUTE FUNCTION gp_folgen();
CREATE TRIGGER gp_folgen AFTER INSERT OR DELETE OR UPDATE OF name1, firma, ust_id, www ON kunde FOR EACH ROW EXECUTE FUNCTION gp_folgen();

CREATE FUNCTION gp_pruefen() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  IF NOT NEW.kz_lief AND EXISTS (SELECT FROM lief WHERE gpnr = NEW.gpnr AND geloescht IS NULL) THEN
    RAISE EXCEPTION 'GP-010: partner % has a vendor record; block the record instead of removing the role', NEW.gpkz;
  END IF;
  IF NOT NEW.kz_kunde AND EXISTS (SELECT FROM kunde WHERE gpnr = NEW.gpnr) THEN
    RAISE EXCEPTION 'GP-011: partner % has a customer record; block the record instead of removing the role', NEW.gpkz;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER b_gp_pruefen BEFORE UPDATE ON gp FOR EACH ROW EXECUTE FUNCTION gp_pruefen();

-- A new role creates a record with the data of the partner, or restores the vendor record that was deleted.
CREATE FUNCTION gp_rollen() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  UPDATE lief SET geloescht = NULL WHERE gpnr = NEW.gpnr AND NEW.kz_lief AND geloescht IS NOT NULL;
  INSERT INTO lief (gpnr, name1, firma, beschr, waehr, kz_gesperrt, seit, bis, ust_id, mail, tel, www)
  SELECT NEW.gpnr, NEW.name1, NEW.firma, NEW.beschr, NEW.waehr, NEW.kz_gesperrt, NEW.seit, NEW.bis, NEW.ust_id, NEW.mail, NEW.tel, NEW.www
  WHERE NEW.kz_lief AND NOT EXISTS (SELECT FROM lief WHERE gpnr = NEW.gpnr);
  INSERT INTO kunde (gpnr, name1, firma, beschr, waehr, kz_gesperrt, seit, bis, ust_id, mail, tel, www)
  SELECT NEW.gpnr, NEW.name1, NEW.firma, NEW.beschr, NEW.waehr, NEW.kz_gesperrt, NEW.seit, NEW.bis, NEW.ust_id, NEW.mail, NEW.tel, NEW.www
  WHERE NEW.kz_kunde AND NOT EXISTS (SELECT FROM kunde WHERE gpnr = NEW.gpnr);
  UPDATE lief SET (name1, firma, ust_id, www) = ROW (NEW.name1, NEW.firma, NEW.ust_id, NEW.www)
  WHERE gpnr = NEW.gpnr AND (name1, firma, ust_id, www) IS DISTINCT FROM (NEW.name1, NEW.firma, NEW.ust_id, NEW.www);
  UPDATE kunde SET (name1, firma, ust_id, www) = ROW (NEW.name1, NEW.firma, NEW.ust_id, NEW.www)
  WHERE gpnr = NEW.gpnr AND (name1, firma, ust_id, www) IS DISTINCT FROM (NEW.name1, NEW.firma, NEW.ust_id, NEW.www);
  RETURN NULL;
END $$;
CREATE TRIGGER gp_rollen AFTER INSERT OR UPDATE OF name1, firma, ust_id, www, kz_lief, kz_kunde ON gp FOR EACH ROW EXECUTE FUNCTION gp_rollen();

-- A changed vendor or customer, including one with new addresses or contacts, marks its partner as changed.
CREATE TRIGGER gp_melden AFTER UPDATE OF changed_at ON lief FOR EACH ROW EXECUTE FUNCTION oberen_melden('gp', 'gpnr');
CREATE TRIGGER gp_melden AFTER UPDATE OF changed_at ON kunde FOR EACH ROW EXECUTE FUNCTION oberen_melden('gp', 'gpnr');

-- A changed address marks its vendor or customer as changed, for the data warehouse.
CREATE FUNCTION adresse_meldet() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  UPDATE lief SET changed_at = now() WHERE (OLD.bezug_art = 'L' AND liefnr = OLD.bezug) OR (NEW.bezug_art = 'L' AND liefnr = NEW.bezug);
  UPDATE kunde SET changed_at = now() WHERE (OLD.bezug_art = 'K' AND kdnr = OLD.bezug) OR (NEW.bezug_art = 'K' AND kdnr = NEW.bezug);
  RETURN NULL;
END $$;
CREATE TRIGGER adresse_meldet AFTER INSERT OR UPDATE OR DELETE ON adresse FOR EACH ROW EXECUTE FUNCTION adresse_meldet();
