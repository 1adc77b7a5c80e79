-- Checks that the areas share.

-- Refuses an entry that is not in the short list; % in the message is replaced by the entry.
CREATE PROCEDURE liste_pruefen(liste text, eintrag text, worte text) LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  IF eintrag IS NOT NULL AND NOT EXISTS (SELECT FROM schluessel WHERE art = liste AND wert = eintrag) THEN
    RAISE EXCEPTION '%', replace(worte, '%', eintrag);
  END IF;
END $$;

-- Refuses a status that the kind of document does not have.
CREATE PROCEDURE status_pruefen(p_bereich text, p_status text, worte text) LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM status_def WHERE bereich = p_bereich AND status = p_status) THEN
    RAISE EXCEPTION '%', replace(worte, '%', coalesce(p_status, '<NULL>'));
  END IF;
END $$;

-- Currency of the customer or, if there is none, of the vendor.
CREATE FUNCTION partner_waehrung(p_kdnr bigint, p_liefnr bigint) RETURNS text LANGUAGE sql STABLE SET search_path FROM CURRENT AS $$
  SELECT coalesce((SELECT waehr FROM kunde WHERE kdnr = p_kdnr), (SELECT waehr FROM lief WHERE liefnr = p_liefnr), 'EUR')
$$;

-- Sales price of an item, in cents.
CREATE FUNCTION verkaufspreis(article artikel) RETURNS numeric LANGUAGE sql IMMUTABLE
RETURN coalesce(article.vk_ct, round(article.ek_ct * 1.35));

-- Marks a row as changed, for the data warehouse, when a part of it changes. Arguments: the table and key of the row; the
-- column of the part that refers to the row, if its name differs from the key; and, if that column can refer to several
-- tables, the column with the kind of table and the value for this one.
CREATE FUNCTION oberen_melden() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  zeiger text := coalesce(TG_ARGV[2], TG_ARGV[1]);
  davor jsonb := to_jsonb(OLD);
  danach jsonb := to_jsonb(NEW);
BEGIN
  EXECUTE format('UPDATE %I SET changed_at = now() WHERE %I IN ($1, $2)', TG_ARGV[0], TG_ARGV[1]) USING
    CASE WHEN TG_ARGV[3] IS NULL OR davor ->> TG_ARGV[3] = TG_ARGV[4] THEN (davor ->> zeiger)::bigint END,
    CASE WHEN TG_ARGV[3] IS NULL OR danach ->> TG_ARGV[3] = TG_ARGV[4] THEN (danach ->> zeiger)::bigint END;
  RETURN NULL;
END $$;

-- A new document without a company belongs to that of its site, vendor or customer, by default to the company 010. Tables without
-- one of these columns skip it.
CREATE FUNCTION mandant_bestimmen() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE beleg jsonb := to_jsonb(NEW);
BEGIN
  NEW.mand := coalesce((SELECT mand FROM werk WHERE werknr = (beleg ->> 'werknr')::bigint), (SELECT mand FROM lief WHERE liefnr = (beleg ->> 'liefnr')::bigint),
    (SELECT mand FROM kunde WHERE kdnr = (beleg ->> 'kdnr')::bigint), '010');
  RETURN NEW;
END $$;

-- Refuses a quantity of an item in a unit that is not converted to that of the item, and one with more decimals than its unit.
CREATE PROCEDURE menge_pruefen(p_artid bigint, p_menge numeric, p_eh text) LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE stellen integer := (SELECT nachkomma FROM einheit WHERE eh = p_eh);
BEGIN
  IF p_artid IS NOT NULL THEN
    PERFORM mengenfaktor(p_artid, p_eh);
  END IF;
  IF p_menge <> round(p_menge, stellen) THEN
    RAISE EXCEPTION 'EH-011: a quantity in % has at most % decimals, so it cannot be %', p_eh, stellen, p_menge;
  END IF;
END $$;
