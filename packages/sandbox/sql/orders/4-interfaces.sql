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

-- Sets a status directly. Deliveries follow from receipts, a finished order is reopened first, and what has arrived or was
-- billed is kept.
CREATE FUNCTION bestellung_status(p_key text, p_values jsonb) RETURNS void LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  k bestkopf;
  neu text := p_values ->> 'status';
BEGIN
  SELECT * INTO k FROM bestkopf WHERE bestnr = p_key::bigint FOR UPDATE;
  IF neu IS NULL THEN
    RAISE EXCEPTION 'BE-002: purchase orders do not have this status';
  ELSIF k.status IN ('A', 'S') AND neu <> k.status THEN
    RAISE EXCEPTION 'BE-059: purchase order % is finished; reopen it first', k.belegnr;
  ELSIF neu IN ('T', 'L') AND neu <> k.status THEN
    RAISE EXCEPTION 'BE-058: purchase order % is received by its receipts; receive the goods instead', k.belegnr;
  ELSIF neu NOT IN ('A', k.status) AND EXISTS (SELECT FROM bestpos WHERE bestnr = k.bestnr AND (mg_wareneingang > 0 OR auf_rechnungen(bestnr || '/' || posnr) > 0)) THEN
    RAISE EXCEPTION 'BE-060: purchase order % has receipts or bills and can only be closed', k.belegnr;
  ELSIF neu = 'A' AND k.status IN ('E', 'V') THEN
    RAISE EXCEPTION 'BE-053: purchase order % has status % and cannot be closed', k.belegnr, k.status;
  END IF;
  UPDATE bestkopf SET status = neu, statustext = coalesce(p_values ->> 'statustext', statustext),
    freigabe_am = CASE WHEN neu IN ('E', 'V') THEN NULL WHEN neu IN ('F', 'G') THEN coalesce(freigabe_am, now()) ELSE freigabe_am END,
    abschluss_am = CASE WHEN neu IN ('A', 'S') THEN coalesce(abschluss_am, now()) END
  WHERE bestnr = k.bestnr AND (neu NOT IN ('A', 'S') OR neu <> k.status);
END $$;
