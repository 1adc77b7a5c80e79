-- Exchange rates of documents: the price of one unit of their currency in the currency of their company.

CREATE INDEX kurs_waehr ON kurs (waehr);

-- Value of a currency in euros on a day. The first known rate also applies to the days before it.
CREATE FUNCTION euro_wert(p_waehr text, p_tag date) RETURNS numeric LANGUAGE sql STABLE SET search_path FROM CURRENT AS $$
  SELECT CASE p_waehr WHEN 'EUR' THEN 1 ELSE (
    SELECT zahl_aus(wert) FROM kurs WHERE waehr = p_waehr AND basis = 'EUR' ORDER BY tag_aus(ab) <= p_tag DESC, abs(tag_aus(ab) - p_tag) LIMIT 1) END
$$;

-- Rate of a currency in the books of a company; documents without a company are in the books of the group.
CREATE FUNCTION kurs_am(p_waehr text, p_mand text, p_tag date) RETURNS numeric LANGUAGE sql STABLE SET search_path FROM CURRENT AS $$
  SELECT CASE p_waehr WHEN eigene THEN 1 ELSE round(euro_wert(p_waehr, p_tag) / euro_wert(eigene, p_tag), 6) END
  FROM (SELECT coalesce((SELECT waehr FROM mandant WHERE mand = p_mand), 'EUR') AS eigene) AS m
$$;

-- Converts the price of an item, in hundredths of its currency, to the currency of a document, rounded to the smallest amount
-- of that currency.
CREATE FUNCTION preis_in(p_waehr text, p_ct numeric, article artikel, p_tag date) RETURNS numeric LANGUAGE sql STABLE SET search_path FROM CURRENT AS $$
  SELECT CASE coalesce(p_waehr, eigene) WHEN eigene THEN p_ct / 100
    ELSE round(p_ct / 100 * euro_wert(eigene, tag) / euro_wert(p_waehr, tag), coalesce((SELECT nachkomma FROM waehrung WHERE wkz = p_waehr), 2)) END
  FROM (SELECT coalesce(article.waehr, 'EUR') AS eigene, coalesce(p_tag, current_date) AS tag) AS a
$$;

-- A document without a rate, or whose currency changes, gets the rate of its date.
CREATE FUNCTION kurs_bestimmen() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE beleg jsonb := to_jsonb(NEW);
BEGIN
  IF TG_OP = 'INSERT' AND NEW.kurs IS NULL OR TG_OP = 'UPDATE' AND NEW.waehr <> OLD.waehr AND NEW.kurs IS NOT DISTINCT FROM OLD.kurs THEN
    NEW.kurs := kurs_am(NEW.waehr, beleg ->> 'mand', coalesce(tag_aus(beleg ->> TG_ARGV[0]), current_date));
  END IF;
  RETURN NEW;
END $$;

DO $$
DECLARE b record;
BEGIN
  FOR b IN SELECT * FROM (VALUES ('angkopf', 'angdat'), ('vkkopf', 'bestdat'), ('bestkopf', 'bestdat'), ('rechkopf', 'rechdat'), ('zahlung', 'buchdat'),
    ('gutschrift', 'gutdat'), ('buchung', 'buchdat')) AS t (tabelle, tag) LOOP
    EXECUTE format('UPDATE %1$I SET kurs = kurs_am(waehr, to_jsonb(%1$I) ->> ''mand'', tag_aus(%2$I)) WHERE kurs IS NULL', b.tabelle, b.tag);
    EXECUTE format('CREATE TRIGGER c_kurs_bestimmen BEFORE INSERT OR UPDATE OF waehr ON %I FOR EACH ROW EXECUTE FUNCTION kurs_bestimmen(%L)', b.tabelle, b.tag);
  END LOOP;
END $$;
