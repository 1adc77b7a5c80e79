-- Rules of real estate: what the system fills in, and what it refuses.

CALL kennung_vergeben('liegenschaft', 'kz', 'PY-', 'lgnr');
CALL kennung_vergeben('flaeche', 'kz', 'SP-', 'flnr');
CALL kennung_vergeben('mietvertrag', 'kz', 'LS-', 'mvnr');
CALL kennung_vergeben('mietantrag', 'kz', 'LA-', 'manr');

CREATE FUNCTION liegenschaft_pruefen() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  CALL liste_pruefen('LGAR', NEW.art, 'LG-002: % is not a kind of property');
  RETURN NEW;
END $$;
CREATE TRIGGER b_liegenschaft_pruefen BEFORE INSERT OR UPDATE ON liegenschaft FOR EACH ROW EXECUTE FUNCTION liegenschaft_pruefen();

CREATE FUNCTION flaeche_pruefen() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  CALL liste_pruefen('FLAR', NEW.art, 'FL-002: % is not a kind of space');
  IF TG_OP = 'UPDATE' AND NEW.gesperrt = 'X' AND EXISTS (SELECT FROM mietvertrag WHERE flnr = NEW.flnr AND status IN ('A', 'K')) THEN
    RAISE EXCEPTION 'FL-009: space % is leased and cannot be closed', NEW.kz;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER b_flaeche_pruefen BEFORE INSERT OR UPDATE ON flaeche FOR EACH ROW EXECUTE FUNCTION flaeche_pruefen();
