-- Interfaces of billing: views to read, and a function that takes the key of a document and its input as JSON.

CREATE VIEW rechpos_mit_waehrung AS SELECT p.*, k.waehr FROM rechpos p JOIN rechkopf k USING (rechnr);

-- An invoice is as old as the oldest of its open items; a draft has none. preise_ct includes the tax if prices include it.
CREATE VIEW rechkopf_mit_ausgleich AS
SELECT k.*, k.netto_ct + CASE k.kz_brutto WHEN 'J' THEN k.pos_ust_ct ELSE 0 END AS preise_ct, (SELECT max(altersklasse(o.faelldat, abs(o.offen_ct))) FROM offener_posten o WHERE o.rechnr = k.rechnr) AS alter_klasse, (
  SELECT coalesce(jsonb_agg(jsonb_build_object('art', a.art, 'beleg', coalesce(z.belegnr, g.belegnr), 'betrag_ct', a.betrag_ct, 'am', a.am) ORDER BY a.am, a.nr), '[]')
  FROM ausgleich a LEFT JOIN zahlung z ON a.art = 'Z' AND z.zahlnr = a.nr LEFT JOIN gutschrift g ON a.art = 'G' AND g.gutnr = a.nr
  WHERE a.rechnr = k.rechnr) AS ausgleiche
FROM rechkopf k;

-- Sets a status that no other action reaches: sent and back, void, or draft again before it is posted. Payments determine others,
-- which the rules of invoices check.
CREATE FUNCTION rechnung_status(p_key text, p_values jsonb) RETURNS void LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  k rechkopf;
  neu text := p_values ->> 'status';
BEGIN
  SELECT * INTO k FROM rechkopf WHERE rechnr = p_key::bigint FOR UPDATE;
  IF neu IN ('V', 'S') AND neu <> k.status OR neu = 'F' AND k.status IN ('E', 'V') THEN
    RAISE EXCEPTION 'RE-054: invoice % has status %; % it instead of setting its status', k.belegnr, k.status,
      CASE neu WHEN 'V' THEN 'submit' WHEN 'S' THEN 'cancel' ELSE CASE k.status WHEN 'E' THEN 'submit and approve' ELSE 'approve' END END;
  ELSIF neu = 'G' AND k.status IN ('E', 'V') THEN
    RAISE EXCEPTION 'RE-055: invoice % has status %; it is sent after it was approved', k.belegnr, k.status;
  END IF;
  UPDATE rechkopf SET status = neu, status_am = coalesce((p_values ->> 'status_am')::timestamptz, status_am), grund = coalesce(p_values ->> 'grund', grund),
    statustext = coalesce(p_values ->> 'statustext', statustext)
  WHERE rechnr = k.rechnr;
END $$;
