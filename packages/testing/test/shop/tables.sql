CREATE TABLE supplier (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  code text UNIQUE,
  name text NOT NULL,
  changed timestamptz NOT NULL DEFAULT clock_timestamp(),
  color varchar(10),
  price numeric(6, 2),
  pieces integer,
  fragile boolean,
  since date,
  checked timestamptz,
  counted timestamp,
  priority text NOT NULL DEFAULT 'low',
  doubled integer GENERATED ALWAYS AS (pieces * 2) STORED,
  attributes jsonb,
  tags text[],
  picture bytea,
  api_key text,
  "größe ""x"" (mm) 'ü'; --" text,
  "a[b]" text,
  CHECK ("a[b]" <> 'never'),
  batch uuid,
  "a.b" text,
  "a:b" text,
  "__proto__" text,
  "constructor" text
);
CREATE TABLE customer (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  code text,
  name text NOT NULL,
  changed timestamptz NOT NULL DEFAULT clock_timestamp(),
  color text,
  rating integer
);
CREATE TABLE note (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  supplier integer REFERENCES supplier,
  text text NOT NULL,
  changed timestamptz NOT NULL DEFAULT clock_timestamp(),
  color text,
  price numeric
);
CREATE FUNCTION touch() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.changed := clock_timestamp(); RETURN NEW; END $$;
CREATE TRIGGER touch BEFORE UPDATE ON supplier FOR EACH ROW EXECUTE FUNCTION touch();
CREATE TRIGGER touch BEFORE UPDATE ON customer FOR EACH ROW EXECUTE FUNCTION touch();
INSERT INTO supplier (code, name, color, price, pieces, fragile, since, checked, counted, priority, attributes, tags, api_key, "größe ""x"" (mm) 'ü'; --", "a.b", "__proto__") VALUES
  ('A', 'A', 'red', 9.50, 3, true, '2026-02-01', '2026-11-20T09:30:00Z', '2026-11-20 09:30', 'high', '{"x": 1}', '{a,b}', 'secret', 'S', 'dot', 'proto'),
  ('B', 'B', 'Red%', 100, 10, false, '1999-12-31', '2026-11-20T09:30:00.5Z', NULL, 'low', NULL, NULL, NULL, 'M', NULL, NULL),
  ('C', 'C', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'low', NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO customer (code, name, color, rating) VALUES ('V', 'V', 'red', 5);
UPDATE supplier SET "a[b]" = 'both' WHERE code = 'B';
