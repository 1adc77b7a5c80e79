-- Rules of the system for its master data.

CALL kennung_vergeben('gjkal', 'kalkz', 'FY-', 'kalnr');
CALL kennung_vergeben('personal', 'kuerzel', 'E-', 'persnr');
CALL kennung_vergeben('werk', 'kz', 'S-', 'werknr');
CALL kennung_vergeben('platz', 'kz', 'L-', 'platznr');
CALL kennung_vergeben('konto', 'ktonr', 'A-', 'kontoid');
CALL kennung_vergeben('lief', 'suchbegr', 'V-', 'liefnr');
CALL kennung_vergeben('kunde', 'suchbegr', 'C-', 'kdnr');
CALL kennung_vergeben('adresse', 'kz', 'AD-', 'adrnr');
CALL kennung_vergeben('artikel', 'artnr', 'IT-', 'artid');
CALL kennung_vergeben('ort', 'kz', 'LO-', 'ortnr');
CALL kennung_vergeben('einheit', 'eh', 'U-', 'ehnr');
CALL kennung_vergeben('waehrung', 'wkz', 'W-', 'wnr');
CALL kennung_vergeben('land', 'lkz', 'N-', 'landnr');

-- A changed address marks its partner as changed, for the data warehouse.
CREATE FUNCTION adresse_meldet() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  UPDATE lief SET changed_at = now() WHERE (OLD.bezug_art = 'L' AND liefnr = OLD.bezug) OR (NEW.bezug_art = 'L' AND liefnr = NEW.bezug);
  UPDATE kunde SET changed_at = now() WHERE (OLD.bezug_art = 'K' AND kdnr = OLD.bezug) OR (NEW.bezug_art = 'K' AND kdnr = NEW.bezug);
  RETURN NULL;
END $$;
CREATE TRIGGER adresse_meldet AFTER INSERT OR UPDATE OR DELETE ON adresse FOR EACH ROW EXECUTE FUNCTION adresse_meldet();
