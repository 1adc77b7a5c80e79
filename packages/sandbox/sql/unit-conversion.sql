-- How much of an item's own unit a given unit contains: by the packages of its vendors, by the conversions of the item, or by
-- those of the units.
CREATE FUNCTION mengenfaktor(p_artid bigint, p_eh text) RETURNS numeric LANGUAGE plpgsql STABLE SET search_path FROM CURRENT AS $$
DECLARE
  article artikel;
  faktor numeric;
BEGIN
  SELECT * INTO article FROM artikel WHERE artid = p_artid;
  IF p_eh IS NULL OR article.meins IS NULL OR p_eh = article.meins THEN
    RETURN 1;
  END IF;
  faktor := coalesce((SELECT inhalt FROM bezug WHERE artid = p_artid AND eh = p_eh AND inhalt > 0 ORDER BY kz_haupt DESC NULLS LAST, bezugnr LIMIT 1),
    (SELECT u.faktor FROM jsonb_to_recordset(article.umrechnung) AS u (eh text, faktor numeric) WHERE u.eh = p_eh AND u.faktor > 0 LIMIT 1),
    (SELECT e.zaehler / m.zaehler FROM einheit e, einheit m WHERE e.eh = p_eh AND m.eh = article.meins AND coalesce(e.basis_eh, e.eh) = coalesce(m.basis_eh, m.eh) AND m.zaehler <> 0));
  IF faktor IS NULL THEN
    RAISE EXCEPTION 'EH-010: item % is kept in %, and % cannot be converted; use another unit, or add a supply option with its content', article.artnr, article.meins, p_eh;
  END IF;
  RETURN faktor;
END $$;
