-- Rules for every table: an index and a timestamp of changes, the date of entry, codes from number ranges.

CREATE FUNCTION stempel() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  NEW.changed_at := now();
  RETURN NEW;
END $$;

DO $$
DECLARE t text;
BEGIN
  FOR t IN SELECT c.relname FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'changed_at'
    WHERE c.relkind = 'r' AND c.relnamespace = current_schema()::regnamespace LOOP
    EXECUTE format('CREATE INDEX %I ON %I (changed_at)', t || '_changed', t);
    EXECUTE format('CREATE TRIGGER z_stempel BEFORE UPDATE ON %I FOR EACH ROW EXECUTE FUNCTION stempel()', t);
  END LOOP;
  FOR t IN SELECT c.relname FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'angelegt'
    WHERE c.relkind = 'r' AND c.relnamespace = current_schema()::regnamespace LOOP
    EXECUTE format('ALTER TABLE %I ALTER COLUMN angelegt SET DEFAULT tag_text(now())', t);
  END LOOP;
END $$;

-- Assigns a code to a row inserted without one. Arguments: column, prefix, column of the number, offset to subtract from it.
CREATE FUNCTION kennung() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  own jsonb := to_jsonb(NEW);
  numeral bigint := (own ->> TG_ARGV[2])::bigint - TG_ARGV[3]::bigint;
BEGIN
  IF own ->> TG_ARGV[0] IS NULL THEN
    NEW := jsonb_populate_record(NEW, jsonb_build_object(TG_ARGV[0], TG_ARGV[1] || numeral));
  END IF;
  RETURN NEW;
END $$;

-- From now on, rows that are inserted into the table without a code get the prefix and their number minus the offset.
CREATE PROCEDURE kennung_vergeben(tabelle text, spalte text, praefix text, nummer text, ab bigint DEFAULT 0)
LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  EXECUTE format('CREATE TRIGGER a_kennung BEFORE INSERT ON %I FOR EACH ROW EXECUTE FUNCTION kennung(%L, %L, %L, %L)',
    tabelle, spalte, praefix, nummer, ab);
END $$;
