-- Rules of the ledger: what the system fills in, and what it refuses.

CALL kennung_vergeben('bank', 'kurzbez', 'BK-', 'banknr');
CALL kennung_vergeben('bankkto', 'kz', 'BA-', 'bkonr');
CALL kennung_vergeben('gjahr', 'kz', 'FY-', 'gjnr');
CALL kennung_vergeben('periode', 'kz', 'FP-', 'pernr');
CALL kennung_vergeben('budget', 'kz', 'BU-', 'budnr');
CALL kennung_vergeben('buchung', 'belegnr', 'JE-', 'buchnr');

-- Only the last four characters of an account number are stored, because transfers use the IBAN.
CREATE FUNCTION bankkto_pruefen() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  NEW.ktonr := regexp_replace(NEW.ktonr, '^.*(....)$', '******\1');
  IF NEW.iban IS NOT NULL AND NOT iban_stimmt(NEW.iban) THEN
    RAISE EXCEPTION 'BK-011: the check digits of IBAN % are wrong', NEW.iban;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER b_bankkto_pruefen BEFORE INSERT OR UPDATE ON bankkto FOR EACH ROW EXECUTE FUNCTION bankkto_pruefen();

-- ISO 7064, mod 97-10: the first four characters are moved to the end, and A to Z become 10 to 35.
CREATE FUNCTION iban_stimmt(iban text) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT string_agg(CASE WHEN c ~ '[A-Z]' THEN (ascii(c) - 55)::text ELSE c END, '' ORDER BY n)::numeric % 97 = 1
  FROM regexp_split_to_table(substr(iban, 5) || left(iban, 4), '') WITH ORDINALITY AS t (c, n)
$$;

-- Fiscal years and periods.
CREATE FUNCTION gjahr_pruefen() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  IF NEW.zustand = 'G' AND EXISTS (SELECT FROM periode WHERE gjnr = NEW.gjnr AND zustand <> 'G') THEN
    RAISE EXCEPTION 'GJ-011: fiscal year % has periods that are not closed', NEW.kz;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER b_gjahr_pruefen BEFORE INSERT OR UPDATE ON gjahr FOR EACH ROW EXECUTE FUNCTION gjahr_pruefen();

CREATE FUNCTION periode_pruefen() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE j gjahr;
BEGIN
  SELECT * INTO j FROM gjahr WHERE gjnr = NEW.gjnr;
  IF NEW.von < j.von OR NEW.bis > j.bis THEN
    RAISE EXCEPTION 'PE-005: period % is not within fiscal year %', NEW.bez, j.bez;
  END IF;
  IF TG_OP = 'UPDATE' AND OLD.zustand = 'G' AND NEW.zustand <> 'G' AND j.zustand = 'G' THEN
    RAISE EXCEPTION 'PE-009: fiscal year % is closed; open it before its periods', j.bez;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER b_periode_pruefen BEFORE INSERT OR UPDATE ON periode FOR EACH ROW EXECUTE FUNCTION periode_pruefen();

-- Budgets.
CREATE FUNCTION budget_pruefen() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  IF OLD.status = 'C' AND NEW.status = 'C' THEN
    RAISE EXCEPTION 'BG-030: budget % is closed and cannot be changed', OLD.kz;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER b_budget_pruefen BEFORE UPDATE ON budget FOR EACH ROW EXECUTE FUNCTION budget_pruefen();

CREATE FUNCTION budgetpos_pruefen() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE k konto;
BEGIN
  IF TG_OP = 'DELETE' THEN
    IF OLD.ist > 0 OR OLD.obligo > 0 THEN
      RAISE EXCEPTION 'BG-031: line % of budget % has spending and cannot be removed', OLD.posnr, OLD.budnr;
    END IF;
    RETURN OLD;
  END IF;
  SELECT * INTO k FROM konto WHERE kontoid = NEW.konto;
  IF k.kopf = 'J' THEN
    RAISE EXCEPTION 'BG-014: account % is a header; use the accounts below it', k.ktonr;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER b_budgetpos_pruefen BEFORE INSERT OR UPDATE OR DELETE ON budgetpos FOR EACH ROW EXECUTE FUNCTION budgetpos_pruefen();

CREATE FUNCTION budget_rechnen() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  UPDATE budget SET summe_ct = s.betrag, ist_ct = s.ist, obligo_ct = s.obligo
  FROM (SELECT coalesce(sum(betrag), 0) * 100 AS betrag, coalesce(sum(ist), 0) * 100 AS ist, coalesce(sum(obligo), 0) * 100 AS obligo
        FROM budgetpos WHERE budnr = coalesce(NEW.budnr, OLD.budnr)) AS s
  WHERE budnr = coalesce(NEW.budnr, OLD.budnr);
  RETURN NULL;
END $$;
CREATE TRIGGER budget_rechnen AFTER INSERT OR DELETE OR UPDATE OF betrag, ist, obligo ON budgetpos FOR EACH ROW EXECUTE FUNCTION budget_rechnen();

-- Journal entries. Amounts of positions are text with a decimal comma.
CREATE FUNCTION buchpos_pruefen(p jsonb) RETURNS void LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  k konto;
  soll numeric := zahl_aus(p ->> 'soll');
  haben numeric := zahl_aus(p ->> 'haben');
BEGIN
  SELECT * INTO k FROM konto WHERE ktonr = p ->> 'konto';
  IF k.kontoid IS NULL THEN
    RAISE EXCEPTION 'FB-010: line %: account % does not exist', p ->> 'pos', p ->> 'konto';
  ELSIF k.kopf = 'J' OR k.gesperrt = 'X' THEN
    RAISE EXCEPTION 'FB-011: line %: account % does not accept postings', p ->> 'pos', k.ktonr;
  ELSIF (coalesce(soll, 0) = 0) = (coalesce(haben, 0) = 0) THEN
    RAISE EXCEPTION 'FB-013: line % needs either a debit or a credit', p ->> 'pos';
  ELSIF p ->> 'waehr' IS NOT NULL AND NOT EXISTS (SELECT FROM waehrung WHERE wkz = p ->> 'waehr') THEN
    RAISE EXCEPTION 'FB-015: line %: currency % does not exist', p ->> 'pos', p ->> 'waehr';
  ELSIF p ->> 'kd' IS NOT NULL AND NOT EXISTS (SELECT FROM kunde WHERE suchbegr = p ->> 'kd') THEN
    RAISE EXCEPTION 'FB-015: line %: customer % does not exist', p ->> 'pos', p ->> 'kd';
  ELSIF p ->> 'lf' IS NOT NULL AND NOT EXISTS (SELECT FROM lief WHERE suchbegr = p ->> 'lf') THEN
    RAISE EXCEPTION 'FB-015: line %: vendor % does not exist', p ->> 'pos', p ->> 'lf';
  ELSIF p ->> 'pers' IS NOT NULL AND NOT EXISTS (SELECT FROM personal WHERE kuerzel = p ->> 'pers') THEN
    RAISE EXCEPTION 'FB-015: line %: employee % does not exist', p ->> 'pos', p ->> 'pers';
  ELSIF p ->> 'kst' IS NOT NULL AND NOT EXISTS (SELECT FROM abteilung WHERE kst = p ->> 'kst') THEN
    RAISE EXCEPTION 'FB-015: line %: business unit % does not exist', p ->> 'pos', p ->> 'kst';
  END IF;
END $$;

-- The regular period of a date in the calendar of a company. Adjustment periods must be given explicitly.
CREATE FUNCTION periode_am(p_mand text, tag text) RETURNS bigint LANGUAGE sql STABLE SET search_path FROM CURRENT AS $$
  SELECT p.pernr FROM mandant m JOIN gjkal USING (kalkz) JOIN gjahr j USING (kalnr) JOIN periode p USING (gjnr)
  WHERE m.mand = p_mand AND tag BETWEEN p.von AND p.bis AND p.sonder = 'N' ORDER BY p.lfd LIMIT 1
$$;

-- Entries that no document has caused name the customer or vendor on accounts of receivables and payables.
CREATE PROCEDURE abstimmkonten_pruefen(b buchung) LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE p record;
BEGIN
  SELECT z.pos, z.konto, kontoseite(z.konto) AS seite INTO p FROM jsonb_to_recordset(b.positionen) AS z (pos integer, konto text, kd text, lf text)
  WHERE b.quelle_art IS NULL AND z.kd IS NULL AND z.lf IS NULL AND kontoseite(z.konto) IS NOT NULL ORDER BY z.pos LIMIT 1;
  IF FOUND THEN
    RAISE EXCEPTION 'FB-025: line %: account % is that of %; name the %', p.pos, p.konto, CASE p.seite WHEN 'D' THEN 'receivables' ELSE 'payables' END,
      CASE p.seite WHEN 'D' THEN 'customer' ELSE 'vendor' END;
  END IF;
END $$;

CREATE FUNCTION buchung_buchen(b buchung) RETURNS buchung LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE p periode;
BEGIN
  IF jsonb_array_length(b.positionen) < 2 THEN
    RAISE EXCEPTION 'FB-017: an entry needs at least two lines to be posted';
  END IF;
  b.pernr := coalesce(b.pernr, periode_am(b.mand, b.buchdat));
  SELECT * INTO p FROM periode WHERE pernr = b.pernr;
  IF b.mand IS NULL THEN
    RAISE EXCEPTION 'FB-019: the entry has no company; send its organization';
  ELSIF p.pernr IS NULL THEN
    RAISE EXCEPTION 'FB-020: no period of the company contains %; specify a period', b.buchdat;
  ELSIF p.zustand = 'G' THEN
    RAISE EXCEPTION 'FB-021: period % is closed', p.bez;
  ELSIF p.zustand = 'V' THEN
    RAISE EXCEPTION 'FB-023: period % is closed to all but accountants; post to an open period', p.bez;
  ELSIF b.buchdat NOT BETWEEN p.von AND p.bis THEN
    RAISE EXCEPTION 'FB-022: % is not in period %', b.buchdat, p.bez;
  END IF;
  CALL abstimmkonten_pruefen(b);
  b.gebucht_am := coalesce(b.gebucht_am, now());
  RETURN b;
END $$;

-- Positions with the exchange rate of each other currency, in the currency of the company; a position in the currency of the
-- entry has its rate.
CREATE FUNCTION buchpos_bewerten(b buchung) RETURNS jsonb LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  eigene text := buchwaehrung(b.mand);
  falsch record;
BEGIN
  SELECT e ->> 'pos' AS pos INTO falsch FROM jsonb_array_elements(b.positionen) AS t (e)
  WHERE coalesce(e ->> 'waehr', b.waehr) = eigene AND coalesce((e ->> 'kurs')::numeric, CASE WHEN b.waehr = eigene THEN b.kurs END) <> 1 LIMIT 1;
  IF FOUND THEN
    RAISE EXCEPTION 'FB-016: line %: % is the currency of the company, so its exchange rate is 1', falsch.pos, eigene;
  END IF;
  RETURN coalesce((
    SELECT jsonb_agg(CASE WHEN e ->> 'kurs' IS NULL AND e ->> 'waehr' <> b.waehr THEN e || jsonb_build_object('kurs', kurs_am(e ->> 'waehr', b.mand, tag_aus(b.buchdat))) ELSE e END ORDER BY n)
    FROM jsonb_array_elements(b.positionen) WITH ORDINALITY AS t (e, n)), '[]');
END $$;

-- Debits and credits in the currency of the entry, and their difference: in their currency if all positions have the same one,
-- otherwise in that of the company.
CREATE FUNCTION buchung_summen(b buchung) RETURNS TABLE (soll_ct bigint, haben_ct bigint, differenz numeric, waehr text) LANGUAGE sql STABLE SET search_path FROM CURRENT AS $$
  SELECT (sum(round(p.soll * p.kurs / b.kurs, 2)) * 100)::bigint, (sum(round(p.haben * p.kurs / b.kurs, 2)) * 100)::bigint,
    CASE count(DISTINCT (p.waehr, p.kurs)) WHEN 1 THEN sum(p.soll - p.haben) ELSE round(sum((p.soll - p.haben) * p.kurs), 2) END,
    CASE count(DISTINCT (p.waehr, p.kurs)) WHEN 1 THEN min(p.waehr) ELSE buchwaehrung(b.mand) END
  FROM (SELECT coalesce(zahl_aus(e ->> 'soll'), 0) AS soll, coalesce(zahl_aus(e ->> 'haben'), 0) AS haben, coalesce(e ->> 'waehr', b.waehr) AS waehr,
      coalesce((e ->> 'kurs')::numeric, b.kurs) AS kurs FROM jsonb_array_elements(b.positionen) AS t (e)) AS p
$$;

CREATE FUNCTION buchung_pruefen() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE summen record;
BEGIN
  IF TG_OP = 'UPDATE' AND OLD.status IN ('G', 'S') THEN
    RAISE EXCEPTION 'FB-030: journal entry % is posted and cannot be changed; post a reversing entry instead', OLD.belegnr;
  END IF;
  NEW.positionen := coalesce((
    SELECT jsonb_agg(e || jsonb_build_object('pos', coalesce((e ->> 'pos')::integer, n)) ORDER BY n)
    FROM jsonb_array_elements(NEW.positionen) WITH ORDINALITY AS t (e, n)), '[]');
  PERFORM buchpos_pruefen(e) FROM jsonb_array_elements(NEW.positionen) AS t (e);
  IF NEW.kurs IS NULL OR TG_OP = 'UPDATE' AND NEW.waehr <> OLD.waehr AND NEW.kurs IS NOT DISTINCT FROM OLD.kurs THEN
    NEW.kurs := kurs_am(NEW.waehr, NEW.mand, tag_aus(NEW.buchdat));
  END IF;
  NEW.positionen := buchpos_bewerten(NEW);
  SELECT * INTO summen FROM buchung_summen(NEW);
  NEW.soll_ct := coalesce(summen.soll_ct, 0);
  NEW.haben_ct := coalesce(summen.haben_ct, 0);
  IF summen.differenz <> 0 THEN
    RAISE EXCEPTION 'FB-014: debits of % and credits of % are not equal; they differ by % %', round(NEW.soll_ct / 100.0, 2), round(NEW.haben_ct / 100.0, 2),
      abs(summen.differenz), summen.waehr;
  END IF;
  IF NEW.kz_storno = 'J' AND NEW.stornodat IS NULL THEN
    RAISE EXCEPTION 'FB-018: an entry that will be reversed needs a reversal date';
  END IF;
  IF NEW.status = 'G' THEN
    NEW := buchung_buchen(NEW);
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER b_buchung_pruefen BEFORE INSERT OR UPDATE ON buchung FOR EACH ROW EXECUTE FUNCTION buchung_pruefen();
