-- What the real estate sees to, and what it refuses in its own words.

CALL kennung_vergeben('liegenschaft', 'kz', 'PY-', 'lgnr');
CALL kennung_vergeben('flaeche', 'kz', 'SP-', 'flnr');
CALL kennung_vergeben('mietvertrag', 'kz', 'LS-', 'mvnr');
CALL kennung_vergeben('mietantrag', 'kz', 'LA-', 'manr');

CREATE FUNCTION liegenschaft_pruefen() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  IF NEW.art IS NOT NULL AND NOT EXISTS (SELECT FROM schluessel WHERE wert = NEW.art AND art = 'LGAR') THEN
    RAISE EXCEPTION 'LG-002: % is not a kind of property', NEW.art;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER b_liegenschaft_pruefen BEFORE INSERT OR UPDATE ON liegenschaft FOR EACH ROW EXECUTE FUNCTION liegenschaft_pruefen();

CREATE FUNCTION flaeche_pruefen() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  IF NEW.art IS NOT NULL AND NOT EXISTS (SELECT FROM schluessel WHERE wert = NEW.art AND art = 'FLAR') THEN
    RAISE EXCEPTION 'FL-002: % is not a kind of space', NEW.art;
  END IF;
  IF TG_OP = 'UPDATE' AND NEW.gesperrt = 'X' AND EXISTS (SELECT FROM mietvertrag WHERE flnr = NEW.flnr AND status IN ('A', 'K')) THEN
    RAISE EXCEPTION 'FL-009: space % is let and cannot be closed', NEW.kz;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER b_flaeche_pruefen BEFORE INSERT OR UPDATE ON flaeche FOR EACH ROW EXECUTE FUNCTION flaeche_pruefen();
