-- Interfaces: views to read, with totals of their parts, and functions that take the key of an order and their input as
-- JSON.

CREATE VIEW stlpos_mit_waehrung AS SELECT p.*, k.waehr FROM stlpos p JOIN stueckliste k USING (stlnr);

CREATE VIEW arbplan_mit_zeit AS
  SELECT p.*, (SELECT sum(coalesce(ruest_min, 0) + coalesce(stueck_min, 0) + coalesce(warte_min, 0) + coalesce(transport_min, 0))
               FROM plvorgang v WHERE v.plnr = p.plnr) AS dauer_min
  FROM arbplan p;

CREATE VIEW stueckliste_mit_kosten AS
  SELECT *, mat_kosten + betrieb_kosten + aus_kosten AS kosten
  FROM (SELECT k.*, m.wert AS mat_kosten, round(m.wert * coalesce(k.ausschuss, 0) / 100, 2) AS aus_kosten, b.wert AS betrieb_kosten
        FROM stueckliste k,
          LATERAL (SELECT coalesce(sum(wert), 0) AS wert FROM stlpos p WHERE p.stlnr = k.stlnr) AS m,
          LATERAL (SELECT coalesce(round(sum((coalesce(v.ruest_min, 0) + coalesce(v.stueck_min, 0) * k.menge) * coalesce(v.satz_ct, a.satz_ct, 0)) / 6000, 2), 0) AS wert
                   FROM plvorgang v LEFT JOIN arbplatz a USING (apnr) WHERE v.plnr = k.plnr) AS b) AS s;

CREATE VIEW fauf_mit_kosten AS
  SELECT f.*, (SELECT coalesce(sum(wert), 0) FROM aufmat m WHERE m.bezug_art = 'F' AND m.bezug = f.faufnr)
    + (SELECT coalesce(sum(ist_ct), 0) FROM favorgang v WHERE v.faufnr = f.faufnr) / 100.0
    + (SELECT coalesce(sum(kosten_ct), 0) FROM aufres r WHERE r.bezug_art = 'F' AND r.bezug = f.faufnr) / 100.0 AS ist_kosten
  FROM fauf f;

CREATE VIEW favorgang_mit_waehrung AS SELECT v.*, k.waehr FROM favorgang v JOIN fauf k USING (faufnr);

-- An order that was stopped keeps its first start time.
CREATE FUNCTION fauf_beginnen(p_key text, p_values jsonb) RETURNS void LANGUAGE sql SET search_path FROM CURRENT AS $$
  UPDATE fauf SET status = '30', beginn = coalesce(beginn, (p_values ->> 'zeit')::timestamptz, now()), statustext = p_values ->> 'text'
  WHERE faufnr = p_key::bigint
$$;

CREATE FUNCTION fauf_oeffnen(p_key text, p_values jsonb) RETURNS void LANGUAGE sql SET search_path FROM CURRENT AS $$
  UPDATE fauf SET status = CASE WHEN beginn IS NULL THEN '10' ELSE '30' END, ende = NULL, abschluss = NULL, statustext = p_values ->> 'text'
  WHERE faufnr = p_key::bigint
$$;
