-- How much of an order arrived and was billed, as a percentage of its value or, for an order without a value, of its quantities.
CREATE FUNCTION bestellfortschritt(p_bestnr bigint) RETURNS TABLE (mg_proz numeric, re_proz numeric) LANGUAGE sql STABLE SET search_path FROM CURRENT AS $$
  SELECT round(coalesce(sum(netto * least(mg_wareneingang / menge, 1)) / wert, sum(least(mg_wareneingang, menge)) / sum(menge)) * 100, 1),
    round(coalesce(sum(netto * least(mg_rechnung / menge, 1)) / wert, sum(least(mg_rechnung, menge)) / sum(menge)) * 100, 1)
  FROM bestpos, LATERAL (SELECT nullif(sum(netto), 0) AS wert FROM bestpos WHERE bestnr = p_bestnr) AS w WHERE bestnr = p_bestnr GROUP BY wert
$$;

UPDATE bestkopf SET (mg_proz, re_proz) = (SELECT mg_proz, re_proz FROM bestellfortschritt(bestnr));
