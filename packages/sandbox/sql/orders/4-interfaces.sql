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

-- Sets a status that no other action reaches: draft again, or sent to the vendor and back. Deliveries follow from receipts, a
-- finished order is reopened first, and what has arrived or was billed is kept.
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
  ELSIF neu IN ('V', 'A', 'S') AND neu <> k.status OR neu = 'F' AND k.status NOT IN ('F', 'G') THEN
    RAISE EXCEPTION 'BE-062: purchase order % has status %; % it instead of setting its status', k.belegnr, k.status,
      CASE neu WHEN 'V' THEN 'submit' WHEN 'A' THEN 'close' WHEN 'S' THEN 'cancel' ELSE CASE k.status WHEN 'E' THEN 'submit and approve' ELSE 'approve' END END;
  ELSIF neu = 'G' AND k.status NOT IN ('F', 'G') THEN
    RAISE EXCEPTION 'BE-063: purchase order % has status %; it is sent after it was approved', k.belegnr, k.status;
  ELSIF neu <> k.status AND EXISTS (SELECT FROM bestpos WHERE bestnr = k.bestnr AND (mg_wareneingang > 0 OR auf_rechnungen(bestnr || '/' || posnr) > 0)) THEN
    RAISE EXCEPTION 'BE-060: purchase order % has receipts or bills and can only be closed', k.belegnr;
  END IF;
  UPDATE bestkopf SET status = neu, statustext = coalesce(p_values ->> 'statustext', statustext),
    freigabe_am = CASE neu WHEN 'E' THEN NULL ELSE freigabe_am END
  WHERE bestnr = k.bestnr AND (neu NOT IN ('A', 'S') OR neu <> k.status);
END $$;
