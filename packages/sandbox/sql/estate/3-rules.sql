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

CREATE FUNCTION mietvertrag_pruefen() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE p record;
BEGIN
  IF tag_aus(NEW.ende) < tag_aus(NEW.beginn) THEN
    RAISE EXCEPTION 'MV-008: lease % ends before it begins', NEW.kz;
  END IF;
  FOR p IN SELECT 'rent' AS art, von, bis FROM jsonb_to_recordset(NEW.raten) AS r (von text, bis text)
    UNION ALL SELECT 'charge', von, bis FROM jsonb_to_recordset(NEW.nebenkosten) AS n (von text, bis text) LOOP
    IF tag_aus(p.bis) < tag_aus(p.von) THEN
      RAISE EXCEPTION 'MV-010: a % of lease % ends on %, before it begins', p.art, NEW.kz, tag_aus(p.bis);
    ELSIF tag_aus(p.von) < tag_aus(NEW.beginn) OR tag_aus(p.bis) > tag_aus(NEW.ende) THEN
      RAISE EXCEPTION 'MV-011: a % from % to % is outside the term of lease %, which is from % to %', p.art, coalesce(tag_aus(p.von)::text, 'the beginning'),
        coalesce(tag_aus(p.bis)::text, 'the end'), NEW.kz, tag_aus(NEW.beginn), coalesce(tag_aus(NEW.ende)::text, 'open');
    END IF;
  END LOOP;
  RETURN NEW;
END $$;
CREATE TRIGGER b_mietvertrag_pruefen BEFORE INSERT OR UPDATE ON mietvertrag FOR EACH ROW EXECUTE FUNCTION mietvertrag_pruefen();
