-- Formats in which the system stores dates, times, amounts and positions, and their parsers. Dates are YYYYMMDD in old
-- tables and DD.MM.YYYY in older ones, times are YYYYMMDDhhmmss in UTC, amounts have a decimal comma.

CREATE FUNCTION tag_text(tag date) RETURNS text LANGUAGE sql STABLE RETURN to_char(tag, 'YYYYMMDD');
CREATE FUNCTION tag_text(zeit timestamptz) RETURNS text LANGUAGE sql STABLE RETURN to_char(zeit AT TIME ZONE 'UTC', 'YYYYMMDD');
CREATE FUNCTION tag_mit_punkten(tag date) RETURNS text LANGUAGE sql STABLE RETURN to_char(tag, 'DD.MM.YYYY');
CREATE FUNCTION tag_mit_punkten(zeit timestamptz) RETURNS text LANGUAGE sql STABLE RETURN to_char(zeit AT TIME ZONE 'UTC', 'DD.MM.YYYY');
CREATE FUNCTION zeit_text(zeit timestamptz) RETURNS text LANGUAGE sql STABLE RETURN to_char(zeit AT TIME ZONE 'UTC', 'YYYYMMDDHH24MISS');

-- Date of a date or time in any of these formats.
CREATE FUNCTION tag_aus(eingabe text) RETURNS date LANGUAGE sql STABLE
RETURN CASE WHEN eingabe LIKE '%.%' THEN to_date(eingabe, 'DD.MM.YYYY') ELSE to_date(left(eingabe, 8), 'YYYYMMDD') END;

CREATE FUNCTION zeit_aus(eingabe text) RETURNS timestamptz LANGUAGE sql STABLE
RETURN to_timestamp(eingabe || '+00', 'YYYYMMDDHH24MISSTZH');

-- Start of a day.
CREATE FUNCTION beginn_des_tages(tag date) RETURNS timestamptz LANGUAGE sql STABLE RETURN tag::timestamp AT TIME ZONE 'UTC';

CREATE FUNCTION zahl_aus(eingabe text) RETURNS numeric LANGUAGE sql IMMUTABLE RETURN replace(eingabe, ',', '.')::numeric;

-- An amount in cents as text: 1234,50.
CREATE FUNCTION betrag_text(ct numeric) RETURNS text LANGUAGE sql IMMUTABLE RETURN replace((ct / 100)::numeric(15, 2)::text, '.', ',');

-- Number of the document and of the position in the name of a position, such as 4500001001/1.
CREATE FUNCTION beleg_aus(pos text) RETURNS bigint LANGUAGE sql IMMUTABLE RETURN split_part(pos, '/', 1)::bigint;
CREATE FUNCTION posnr_aus(pos text) RETURNS integer LANGUAGE sql IMMUTABLE RETURN split_part(pos, '/', 2)::integer;

-- Amount of a position, in the currency of its document.
CREATE FUNCTION positionswert(menge numeric, preis numeric, rabatt_proz numeric DEFAULT NULL, rabatt_betrag numeric DEFAULT NULL) RETURNS numeric
LANGUAGE sql IMMUTABLE RETURN round(menge * coalesce(preis, 0) * (1 - coalesce(rabatt_proz, 0) / 100) - coalesce(rabatt_betrag, 0), 2);

-- Total in cents of a discount in percent and a discount as an amount.
CREATE FUNCTION nachlass(netto bigint, proz numeric, betrag bigint) RETURNS bigint LANGUAGE sql IMMUTABLE AS
$$ SELECT round(coalesce(netto, 0) * coalesce(proz, 0) / 100)::bigint + coalesce(betrag, 0) $$;

-- Tax of the positions after the discount on the whole document; all amounts in cents.
CREATE FUNCTION restust(ust bigint, netto bigint, abzug bigint) RETURNS bigint LANGUAGE sql IMMUTABLE AS
$$ SELECT round(coalesce(ust, 0) * coalesce(1 - abzug::numeric / nullif(netto, 0), 1))::bigint $$;
