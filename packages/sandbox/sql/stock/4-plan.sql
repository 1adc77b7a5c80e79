-- Expected and reserved quantities of stock follow the documents.

-- A position of an order, by the table of its head and the statuses in which it counts (arguments, with the column of the
-- number). The head reports its own changes.
CREATE FUNCTION plan_folgt() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  nummer bigint := (to_jsonb(coalesce(NEW, OLD)) ->> TG_ARGV[1])::bigint;
  zaehlt boolean;
BEGIN
  EXECUTE format('SELECT status = ANY ($1) FROM %I WHERE %I = $2', TG_ARGV[0], TG_ARGV[1]) INTO zaehlt USING string_to_array(TG_ARGV[2], ' '), nummer;
  IF zaehlt THEN
    PERFORM bestand_planen(ARRAY[OLD.artid, NEW.artid]);
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER plan_folgt AFTER INSERT OR DELETE ON bestpos FOR EACH ROW EXECUTE FUNCTION plan_folgt('bestkopf', 'bestnr', 'F G T');
CREATE TRIGGER plan_folgt_geaendert AFTER UPDATE ON bestpos FOR EACH ROW
  WHEN ((OLD.artid, OLD.menge, OLD.mg_wareneingang, OLD.status, OLD.lieferplatz) IS DISTINCT FROM (NEW.artid, NEW.menge, NEW.mg_wareneingang, NEW.status, NEW.lieferplatz))
  EXECUTE FUNCTION plan_folgt('bestkopf', 'bestnr', 'F G T');
CREATE TRIGGER plan_folgt AFTER INSERT OR DELETE ON vkpos FOR EACH ROW EXECUTE FUNCTION plan_folgt('vkkopf', 'vknr', '20 30');
CREATE TRIGGER plan_folgt_geaendert AFTER UPDATE ON vkpos FOR EACH ROW
  WHEN ((OLD.artid, OLD.menge, OLD.mg_versand, OLD.typ, OLD.platznr) IS DISTINCT FROM (NEW.artid, NEW.menge, NEW.mg_versand, NEW.typ, NEW.platznr))
  EXECUTE FUNCTION plan_folgt('vkkopf', 'vknr', '20 30');

-- The head of a document, for the items of all its positions together.
CREATE FUNCTION plan_folgt_kopf() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE kopf jsonb := to_jsonb(coalesce(NEW, OLD));
BEGIN
  CASE TG_TABLE_NAME
    WHEN 'bestkopf' THEN PERFORM bestand_planen(array_agg(artid)) FROM bestpos WHERE bestnr = (kopf ->> 'bestnr')::bigint;
    WHEN 'vkkopf' THEN PERFORM bestand_planen(array_agg(artid)) FROM vkpos WHERE vknr = (kopf ->> 'vknr')::bigint;
    WHEN 'lagerbeleg' THEN PERFORM bestand_planen(array_agg(artid)) FROM jsonb_to_recordset(kopf -> 'positionen') AS p (artnr text) JOIN artikel USING (artnr);
    ELSE PERFORM bestand_planen(ARRAY[(kopf ->> 'artid')::bigint]);
  END CASE;
  RETURN NULL;
END $$;
CREATE TRIGGER plan_folgt AFTER UPDATE OF status, lieferplatz, kdnr ON bestkopf FOR EACH ROW
  WHEN ((OLD.status, OLD.lieferplatz, OLD.kdnr) IS DISTINCT FROM (NEW.status, NEW.lieferplatz, NEW.kdnr)) EXECUTE FUNCTION plan_folgt_kopf();
CREATE TRIGGER plan_folgt AFTER UPDATE OF status ON vkkopf FOR EACH ROW WHEN (OLD.status <> NEW.status) EXECUTE FUNCTION plan_folgt_kopf();
CREATE TRIGGER plan_folgt AFTER INSERT OR UPDATE ON lagerbeleg FOR EACH ROW WHEN (NEW.art = 'UM') EXECUTE FUNCTION plan_folgt_kopf();
CREATE TRIGGER plan_folgt AFTER INSERT OR DELETE OR UPDATE OF menge, gut_mg, aus_mg, status, ziellager ON fauf FOR EACH ROW EXECUTE FUNCTION plan_folgt_kopf();
CREATE TRIGGER plan_folgt AFTER INSERT ON bestand FOR EACH ROW EXECUTE FUNCTION plan_folgt_kopf();
