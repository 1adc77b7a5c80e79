-- Interfaces: views to read, and functions that take the key of a document and their input as JSON.

CREATE VIEW bestpos_mit_waehrung AS SELECT p.*, k.waehr FROM bestpos p JOIN bestkopf k USING (bestnr);

CREATE FUNCTION bestellung_oeffnen(p_key text, p_values jsonb) RETURNS void LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  UPDATE bestkopf SET abschluss_am = NULL, grund = NULL, statustext = p_values ->> 'text', status = (
    SELECT CASE WHEN bool_and(s.mg_wareneingang >= s.menge) THEN 'L' WHEN bool_or(s.mg_wareneingang > 0) THEN 'T'
                WHEN bestkopf.freigabe_am IS NOT NULL THEN 'F' ELSE 'E' END
    FROM bestpos s WHERE s.bestnr = p_key::bigint)
  WHERE bestnr = p_key::bigint;
END $$;
