-- What interfaces use: views to read, and functions that take the key of a document and what is to be done as JSON.

CREATE VIEW bestpos_mit_waehrung AS SELECT p.*, k.waehr FROM bestpos p JOIN bestkopf k USING (bestnr);

CREATE FUNCTION wareneingang_buchen(p_key text, p_values jsonb) RETURNS void LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  k bestkopf;
  p record;
  bei timestamptz := coalesce((p_values ->> 'zeit')::timestamptz, now());
BEGIN
  SELECT * INTO k FROM bestkopf WHERE bestnr = p_key::bigint FOR UPDATE;
  FOR p IN
    SELECT b.posnr, b.menge AS bestellt, b.mg_wareneingang AS bisher, z.pos, z.menge, coalesce(z.abgelehnt, 0) AS abgelehnt, z.charge, z.seriennr
    FROM jsonb_to_recordset(coalesce(p_values -> 'positionen', (
      SELECT jsonb_agg(jsonb_build_object('pos', bestnr || '/' || posnr, 'menge', menge - mg_wareneingang))
      FROM bestpos WHERE bestnr = k.bestnr AND menge > mg_wareneingang))) AS z (pos text, menge numeric, abgelehnt numeric, charge text, seriennr text)
    LEFT JOIN bestpos b ON b.bestnr = k.bestnr AND b.bestnr || '/' || b.posnr = z.pos
  LOOP
    IF p.posnr IS NULL THEN
      RAISE EXCEPTION 'BE-041: position % does not belong to purchase order %', p.pos, k.belegnr;
    END IF;
    IF p.bisher + p.menge > p.bestellt * 1.1 THEN
      RAISE EXCEPTION 'BE-042: position % of purchase order %: % arrived, only % ordered', p.posnr, k.belegnr, p.bisher + p.menge, p.bestellt;
    END IF;
    INSERT INTO wareneingang (bestnr, posnr, menge, abgelehnt, charge, seriennr, platznr, zeit, text)
    VALUES (k.bestnr, p.posnr, p.menge, p.abgelehnt, p.charge, p.seriennr, coalesce((p_values ->> 'platznr')::bigint, k.lieferplatz), bei, p_values ->> 'text');
    UPDATE bestpos SET mg_wareneingang = mg_wareneingang + p.menge, mg_abgelehnt = mg_abgelehnt + p.abgelehnt,
      status = CASE WHEN mg_wareneingang + p.menge >= menge THEN 'L' WHEN mg_wareneingang + p.menge > 0 THEN 'T' ELSE status END
    WHERE bestnr = k.bestnr AND posnr = p.posnr;
  END LOOP;
  UPDATE bestkopf SET statustext = coalesce(p_values ->> 'text', statustext), (status, erledigt_am) = (
    SELECT CASE WHEN bool_and(s.status = 'L') THEN 'L' WHEN bool_or(s.mg_wareneingang > 0) THEN 'T' ELSE k.status END,
           CASE WHEN bool_and(s.status = 'L') THEN bei END
    FROM bestpos s WHERE s.bestnr = k.bestnr)
  WHERE bestnr = k.bestnr;
END $$;

CREATE FUNCTION bestellung_oeffnen(p_key text, p_values jsonb) RETURNS void LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  UPDATE bestkopf SET abschluss_am = NULL, grund = NULL, statustext = p_values ->> 'text', status = (
    SELECT CASE WHEN bool_and(s.mg_wareneingang >= s.menge) THEN 'L' WHEN bool_or(s.mg_wareneingang > 0) THEN 'T'
                WHEN bestkopf.freigabe_am IS NOT NULL THEN 'F' ELSE 'E' END
    FROM bestpos s WHERE s.bestnr = p_key::bigint)
  WHERE bestnr = p_key::bigint;
END $$;
