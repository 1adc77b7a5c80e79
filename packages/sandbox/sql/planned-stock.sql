-- Quantities that open documents add to and take from stock: purchase orders, transfers under way and production orders bring
-- goods, sales orders reserve them. Goods that a vendor delivers to a customer do not come to our stock.

-- Location of goods whose document does not name one: where most of the item is stored.
CREATE FUNCTION lagerort(p_artid bigint) RETURNS bigint LANGUAGE sql STABLE SET search_path FROM CURRENT AS
$$ SELECT platznr FROM bestand WHERE artid = p_artid ORDER BY menge DESC, bestandnr LIMIT 1 $$;

CREATE INDEX bestpos_artid ON bestpos (artid);
CREATE INDEX vkpos_artid ON vkpos (artid);
CREATE INDEX fauf_artid ON fauf (artid);

CREATE VIEW bestand_plan AS
SELECT artid, platznr, sum(menge) FILTER (WHERE offen.art = 'B') AS bestellt, sum(menge) FILTER (WHERE offen.art = 'V') AS reserviert,
  sum(menge) FILTER (WHERE offen.art = 'U') AS transit, sum(menge) FILTER (WHERE offen.art = 'F') AS geplant
FROM (
  SELECT 'B' AS art, p.artid, coalesce(p.lieferplatz, k.lieferplatz, CASE WHEN k.kdnr IS NULL THEN lagerort(p.artid) END) AS platznr, p.menge - p.mg_wareneingang AS menge
  FROM bestpos p JOIN bestkopf k USING (bestnr) WHERE k.status IN ('F', 'G', 'T') AND p.status IN ('O', 'T')
  UNION ALL SELECT 'V', p.artid, p.platznr, p.menge - p.mg_versand FROM vkpos p JOIN vkkopf k USING (vknr) WHERE k.status IN ('20', '30') AND p.typ = 'A'
  UNION ALL SELECT 'U', a.artid, l.platz_nach, p.versandt - coalesce(p.erhalten, 0)
  FROM lagerbeleg l, jsonb_to_recordset(l.positionen) AS p (artnr text, versandt numeric, erhalten numeric) JOIN artikel a USING (artnr)
  WHERE l.art = 'UM' AND l.status = 'A' AND l.versandt_am IS NOT NULL
  UNION ALL SELECT 'F', artid, ziellager, menge - gut_mg - aus_mg FROM fauf WHERE status IN ('10', '20', '30', '40')) AS offen
JOIN artikel a USING (artid)
WHERE a.kz_bestand IS DISTINCT FROM 'N' AND platznr IS NOT NULL AND menge > 0 GROUP BY artid, platznr;

-- The stock record of an item at a location that shows these quantities: one whose stock can be used.
CREATE VIEW bestand_leitsatz AS
SELECT DISTINCT ON (artid, platznr) bestandnr, artid, platznr FROM bestand WHERE zustand IN ('F', 'K')
ORDER BY artid, platznr, zustand <> 'F', seriennr IS NOT NULL, bestandnr;

-- Updates the planned quantities of items. Adds stock records in the receiving area of locations that have no usable stock
-- record of an expected item.
CREATE FUNCTION bestand_planen(p_artids bigint[]) RETURNS void LANGUAGE sql SET search_path FROM CURRENT AS $$
  INSERT INTO bestand (artid, platznr, fachnr, eh, menge, kosten, waehr, zustand)
  SELECT p.artid, p.platznr, (SELECT min(fachnr) FROM fach WHERE fach.platznr = p.platznr AND zone = 'IN'), a.meins, 0, betrag_text(a.gld_ct), coalesce(a.waehr, 'EUR'), 'F'
  FROM bestand_plan p JOIN artikel a USING (artid)
  WHERE p.artid = ANY (p_artids) AND NOT EXISTS (SELECT FROM bestand_leitsatz l WHERE (l.artid, l.platznr) = (p.artid, p.platznr));
  UPDATE bestand b SET mg_bestellt = s.bestellt, mg_reserviert = s.reserviert, mg_transit = s.transit, mg_geplant = s.geplant
  FROM (
    SELECT b.bestandnr, coalesce(p.bestellt, 0) AS bestellt, coalesce(p.reserviert, 0) AS reserviert, coalesce(p.transit, 0) AS transit, coalesce(p.geplant, 0) AS geplant
    FROM bestand b LEFT JOIN (SELECT * FROM bestand_leitsatz WHERE artid = ANY (p_artids)) AS l USING (bestandnr)
      LEFT JOIN (SELECT * FROM bestand_plan WHERE artid = ANY (p_artids)) AS p ON (p.artid, p.platznr) = (l.artid, l.platznr)
    WHERE b.artid = ANY (p_artids)) AS s
  WHERE b.bestandnr = s.bestandnr AND (b.mg_bestellt, b.mg_reserviert, b.mg_transit, b.mg_geplant) IS DISTINCT FROM (s.bestellt, s.reserviert, s.transit, s.geplant)
$$;

SELECT bestand_planen(array_agg(artid)) FROM artikel;
UPDATE bestand SET kz = 'ST-' || bestandnr, angelegt = tag_text(changed_at) WHERE kz IS NULL;
