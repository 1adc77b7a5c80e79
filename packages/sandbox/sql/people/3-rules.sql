-- Rules for contacts, users, comments and files: what the system fills in, and what it refuses.

CALL kennung_vergeben('kontakt', 'kz', 'K-', 'kontnr');
CALL kennung_vergeben('notiz', 'kz', 'N-', 'notiznr');
CALL kennung_vergeben('anhang', 'kz', 'AT-', 'anhnr');

-- Contacts.
CREATE FUNCTION kontakt_pruefen() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  IF NEW.geb_dat > tag_text(now()) THEN
    RAISE EXCEPTION 'KO-011: the date of birth of % is in the future', NEW.name;
  END IF;
  IF NEW.haupt = 'J' AND NEW.kz_weg = 'J' THEN
    RAISE EXCEPTION 'KO-012: % is inactive and cannot be the main contact', NEW.name;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER b_kontakt_pruefen BEFORE INSERT OR UPDATE ON kontakt FOR EACH ROW EXECUTE FUNCTION kontakt_pruefen();

-- A company has one main contact: the one that was marked last.
CREATE FUNCTION kontakt_abloesen() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  UPDATE kontakt SET haupt = 'N' WHERE firma_art = NEW.firma_art AND firma = NEW.firma AND haupt = 'J' AND kontnr <> NEW.kontnr;
  RETURN NULL;
END $$;
CREATE TRIGGER kontakt_abloesen AFTER INSERT OR UPDATE OF haupt, firma_art, firma ON kontakt FOR EACH ROW WHEN (NEW.haupt = 'J')
  EXECUTE FUNCTION kontakt_abloesen();

-- A changed contact marks its company as changed, a changed account its employee.
CREATE TRIGGER lief_melden AFTER INSERT OR DELETE OR UPDATE OF firma_art, firma ON kontakt FOR EACH ROW
  EXECUTE FUNCTION oberen_melden('lief', 'liefnr', 'firma', 'firma_art', 'L');
CREATE TRIGGER kunde_melden AFTER INSERT OR DELETE OR UPDATE OF firma_art, firma ON kontakt FOR EACH ROW
  EXECUTE FUNCTION oberen_melden('kunde', 'kdnr', 'firma', 'firma_art', 'K');
CREATE TRIGGER mandant_melden AFTER INSERT OR DELETE OR UPDATE OF firma_art, firma ON kontakt FOR EACH ROW
  EXECUTE FUNCTION oberen_melden('mandant', 'mandnr', 'firma', 'firma_art', 'M');
CREATE TRIGGER oberen_melden AFTER INSERT OR DELETE OR UPDATE OF persnr ON benutzer FOR EACH ROW EXECUTE FUNCTION oberen_melden('personal', 'persnr');

-- The author of a row without one is the user of the interface.
CREATE FUNCTION verfasser_setzen() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  NEW.bennr := coalesce(NEW.bennr, (SELECT bennr FROM benutzer WHERE anmeldung = 'interface'));
  RETURN NEW;
END $$;
CREATE TRIGGER b_verfasser_setzen BEFORE INSERT ON notiz FOR EACH ROW EXECUTE FUNCTION verfasser_setzen();
CREATE TRIGGER b_verfasser_setzen BEFORE INSERT ON anhang FOR EACH ROW EXECUTE FUNCTION verfasser_setzen();

-- Comments.
CREATE FUNCTION notiz_pruefen() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE earlier notiz;
BEGIN
  IF TG_OP = 'UPDATE' AND NEW.text <> OLD.text THEN
    NEW.geaendert := now();
  END IF;
  SELECT * INTO earlier FROM notiz WHERE notiznr = NEW.antwort_auf;
  IF (earlier.bezug_art, earlier.bezug) <> (NEW.bezug_art, NEW.bezug) THEN
    RAISE EXCEPTION 'NO-011: note % belongs to another record and cannot be replied to here', earlier.kz;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER c_notiz_pruefen BEFORE INSERT OR UPDATE ON notiz FOR EACH ROW EXECUTE FUNCTION notiz_pruefen();

-- Attachments.
CREATE FUNCTION anhang_zuordnen() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  NEW.bezug := coalesce(beleg_aus(NEW.ziel), NEW.bezug);
  IF NEW.bezug_art = 'S' AND NOT EXISTS (SELECT FROM aufschritt WHERE aufid = NEW.bezug AND schritt = posnr_aus(NEW.ziel)) THEN
    RAISE EXCEPTION 'AN-022: step % does not exist', NEW.ziel;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER b_anhang_zuordnen BEFORE INSERT ON anhang FOR EACH ROW EXECUTE FUNCTION anhang_zuordnen();

CREATE FUNCTION anhang_pruefen() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE auftragsbeleg text;
BEGIN
  SELECT belegnr INTO auftragsbeleg FROM bestkopf WHERE OLD.bezug_art = 'B' AND bestnr = OLD.bezug AND status IN ('A', 'S');
  IF auftragsbeleg IS NOT NULL THEN
    RAISE EXCEPTION 'AN-021: attachment % belongs to purchase order %, which is finished, and must be kept', OLD.kz, auftragsbeleg;
  END IF;
  RETURN OLD;
END $$;
CREATE TRIGGER b_anhang_pruefen BEFORE DELETE ON anhang FOR EACH ROW EXECUTE FUNCTION anhang_pruefen();

-- New and deleted files and notes mark their note or document as changed, unless it is a finished purchase order.
CREATE FUNCTION anhang_meldet() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  beleg_art char(1) := coalesce(NEW.bezug_art, OLD.bezug_art);
  beleg bigint := coalesce(NEW.bezug, OLD.bezug);
BEGIN
  UPDATE auftrag SET changed_at = now() WHERE beleg_art = 'A' AND aufid = beleg;
  UPDATE bestkopf SET changed_at = now() WHERE beleg_art = 'B' AND bestnr = beleg AND status NOT IN ('A', 'S');
  UPDATE notiz SET changed_at = now() WHERE beleg_art = 'N' AND notiznr = beleg;
  RETURN NULL;
END $$;
CREATE TRIGGER anhang_meldet AFTER INSERT OR DELETE ON anhang FOR EACH ROW EXECUTE FUNCTION anhang_meldet();
CREATE TRIGGER anhang_meldet AFTER INSERT OR DELETE ON notiz FOR EACH ROW EXECUTE FUNCTION anhang_meldet();

-- A list of numbers with or without this number; null if it becomes empty.
CREATE FUNCTION mit_nummer(liste text, nummer bigint, dabei boolean) RETURNS text LANGUAGE sql IMMUTABLE RETURN
  nullif(concat_ws(' ', array_to_string(array_remove(string_to_array(liste, ' '), nummer::text), ' '), CASE WHEN dabei THEN nummer END), '');

-- Contracts, requests, steps and maintenance plans have a list of their files, which can also contain files of other records.
CREATE FUNCTION anhang_einreihen() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  datei anhang := coalesce(NEW, OLD);
  dabei boolean := TG_OP = 'INSERT';
BEGIN
  CASE datei.bezug_art
    WHEN 'X' THEN UPDATE vertrag SET anhaenge = mit_nummer(anhaenge, datei.anhnr, dabei) WHERE vtrnr = datei.bezug;
    WHEN 'M' THEN UPDATE meldung SET anhaenge = mit_nummer(anhaenge, datei.anhnr, dabei) WHERE meldnr = datei.bezug;
    WHEN 'W' THEN UPDATE wplan SET anhaenge = mit_nummer(anhaenge, datei.anhnr, dabei) WHERE wpnr = datei.bezug;
    WHEN 'S' THEN UPDATE aufschritt SET anhaenge = mit_nummer(anhaenge, datei.anhnr, dabei) WHERE aufid = datei.bezug AND schritt = posnr_aus(datei.ziel);
    ELSE NULL;
  END CASE;
  RETURN NULL;
END $$;
CREATE TRIGGER anhang_einreihen AFTER INSERT OR DELETE ON anhang FOR EACH ROW EXECUTE FUNCTION anhang_einreihen();
