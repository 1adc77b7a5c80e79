-- Receipts, returns and shipments move stock as soon as they are posted; changed and cancelled ones are corrected.

-- Quantities that the lines of posted documents move: art E(ingang) or L(ieferung). Accepted goods are free, rejected ones
-- blocked until they go back, the others in quality inspection. Services and items without stock move nothing.
CREATE VIEW warenbewegung_soll AS
SELECT 'E' AS art, z.wenr AS nr, z.posnr, z.artid, a.meins AS eh, m.platznr, z.fachnr, CASE a.chargen WHEN 'C' THEN z.charge END AS charge, m.zustand, m.menge * f.faktor AS menge, z.preis * 100 / f.faktor AS kosten_ct, h.waehr,
  zeit_aus(h.zeit) AS zeit, h.annehmer AS persnr, h.belegnr
FROM wepos z JOIN wekopf h USING (wenr) JOIN artikel a USING (artid) LEFT JOIN bestkopf k ON k.bestnr = h.bestnr
  LEFT JOIN bestpos p ON p.bestnr = z.best_nr AND p.posnr = z.best_pnr,
  LATERAL (SELECT mengenfaktor(z.artid, z.eh) AS faktor) AS f,
  LATERAL (SELECT coalesce(z.platznr, h.platznr, p.lieferplatz, k.lieferplatz, lagerort(z.artid)) AS platznr) AS o,
  LATERAL (
    SELECT 'F', o.platznr, -z.menge WHERE h.kz_retour = 'J'
    UNION ALL SELECT v.* FROM (VALUES ('F', o.platznr, z.mg_gut), ('S', coalesce(z.sperrplatz, o.platznr), z.mg_abgelehnt),
      ('Q', o.platznr, z.menge - z.mg_gut - z.mg_abgelehnt)) AS v WHERE h.kz_retour IS DISTINCT FROM 'J') AS m (zustand, platznr, menge)
WHERE h.status = 'B' AND a.kz_bestand IS DISTINCT FROM 'N' AND m.menge <> 0
UNION ALL
SELECT 'L', l.lfnr, l.posnr, l.artid, a.meins, coalesce(d.von_platz, v.platznr, lagerort(l.artid)), NULL, CASE a.chargen WHEN 'C' THEN l.charge END, 'F', -l.menge * mengenfaktor(l.artid, l.eh), NULL, NULL, zeit_aus(d.versandt),
  d.packer, d.belegnr
FROM lieferpos l JOIN lieferung d USING (lfnr) JOIN artikel a USING (artid) LEFT JOIN vkpos v ON v.vknr = d.vknr AND v.vknr || '/' || v.posnr = l.vkpos
WHERE d.richtung = 'A' AND d.status IN ('U', 'Z') AND a.kz_bestand IS DISTINCT FROM 'N';

-- Quantities that the line of a document has moved so far, by stock record.
CREATE FUNCTION waren_bewegt(p_art text, p_nr bigint, p_pos integer) RETURNS TABLE (artid bigint, platznr bigint, fachnr bigint, charge varchar, seriennr text,
  zustand char(1), menge numeric) LANGUAGE sql STABLE SET search_path FROM CURRENT AS $$
  SELECT artid, platznr, fachnr, charge, seriennr, zustand, sum(menge) FROM bewegung WHERE urspr_art = p_art AND urspr = p_nr AND urspr_pos = p_pos
  GROUP BY artid, platznr, fachnr, charge, seriennr, zustand HAVING sum(menge) <> 0
$$;

-- Takes goods of a line from the stock of its location, from as many bins and lots as needed: returns first take rejected goods,
-- and goods that expire first are taken first.
CREATE FUNCTION waren_entnehmen(s warenbewegung_soll) RETURNS void LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  b bestand;
  rest numeric := -s.menge;
BEGIN
  FOR b IN SELECT * FROM bestand WHERE artid = s.artid AND platznr = s.platznr AND menge > 0 AND (s.fachnr IS NULL OR fachnr = s.fachnr)
    AND (s.charge IS NULL OR charge = s.charge) AND (zustand IN ('F', 'K') OR zustand = 'S' AND s.art = 'E')
    ORDER BY zustand <> 'S', tag_aus(verfall), menge DESC, bestandnr FOR UPDATE LOOP
    EXIT WHEN rest = 0;
    INSERT INTO bewegung (artid, art, menge, eh, platznr, fachnr, charge, seriennr, zustand, zeit, urspr_art, urspr, urspr_pos, persnr, zeichen)
    VALUES (s.artid, 'AB', -least(rest, b.menge), s.eh, s.platznr, b.fachnr, b.charge, b.seriennr, b.zustand, s.zeit, s.art, s.nr, s.posnr, s.persnr, s.belegnr);
    rest := rest - least(rest, b.menge);
  END LOOP;
  IF rest > 0 THEN
    RAISE EXCEPTION 'BW-012: only % of item % at location %, % wanted; receive or transfer more, or take it from another location', -s.menge - rest,
      (SELECT artnr FROM artikel WHERE artid = s.artid), (SELECT kz FROM platz WHERE platznr = s.platznr), -s.menge;
  END IF;
END $$;

-- Corrects the movements of a line: reverses them and moves what the line states now. Documents from before the stock ledger are
-- part of its opening stock.
CREATE FUNCTION waren_abgleichen(p_art text, p_nr bigint, p_pos integer) RETURNS void LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE s warenbewegung_soll;
BEGIN
  IF NOT EXISTS (
    SELECT FROM (
      SELECT artid, platznr, CASE WHEN menge > 0 THEN zustand END AS zustand, menge FROM warenbewegung_soll WHERE art = p_art AND nr = p_nr AND posnr = p_pos
      UNION ALL SELECT artid, platznr, CASE WHEN menge > 0 THEN zustand END, -menge FROM waren_bewegt(p_art, p_nr, p_pos)) AS m
    GROUP BY artid, platznr, zustand HAVING sum(menge) <> 0) THEN
    RETURN;
  END IF;
  INSERT INTO bewegung (artid, art, menge, platznr, fachnr, charge, seriennr, zustand, urspr_art, urspr, urspr_pos, bem)
  SELECT artid, 'KO', -menge, platznr, fachnr, charge, seriennr, zustand, p_art, p_nr, p_pos, 'Correction of the document' FROM waren_bewegt(p_art, p_nr, p_pos);
  FOR s IN SELECT * FROM warenbewegung_soll WHERE art = p_art AND nr = p_nr AND posnr = p_pos LOOP
    CONTINUE WHEN s.zeit < (SELECT min(zeit) FROM bewegung);
    IF s.platznr IS NULL THEN
      RAISE EXCEPTION 'BW-016: document % does not say where item % is stored; send its location', s.belegnr, (SELECT artnr FROM artikel WHERE artid = s.artid);
    ELSIF s.menge < 0 THEN
      PERFORM waren_entnehmen(s);
    ELSE
      INSERT INTO bewegung (artid, art, menge, eh, platznr, fachnr, charge, zustand, kosten_ct, waehr, zeit, urspr_art, urspr, urspr_pos, persnr, zeichen)
      VALUES (s.artid, 'ZU', s.menge, s.eh, s.platznr, CASE WHEN s.zustand <> 'S' THEN s.fachnr END, s.charge, s.zustand, s.kosten_ct, s.waehr, s.zeit, s.art, s.nr, s.posnr, s.persnr,
        s.belegnr);
    END IF;
  END LOOP;
END $$;

-- Triggers of positions and of heads; arguments: kind of the document, column of its number, table of the positions.
CREATE FUNCTION waren_folgen() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE zeile jsonb := to_jsonb(coalesce(NEW, OLD));
BEGIN
  PERFORM waren_abgleichen(TG_ARGV[0], (zeile ->> TG_ARGV[1])::bigint, (zeile ->> 'posnr')::integer);
  RETURN NULL;
END $$;
CREATE TRIGGER waren_folgen AFTER INSERT OR UPDATE OR DELETE ON wepos FOR EACH ROW EXECUTE FUNCTION waren_folgen('E', 'wenr');
CREATE TRIGGER waren_folgen AFTER INSERT OR UPDATE OR DELETE ON lieferpos FOR EACH ROW EXECUTE FUNCTION waren_folgen('L', 'lfnr');

CREATE FUNCTION wekopf_bewegt() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  PERFORM waren_abgleichen('E', wenr, posnr) FROM wepos WHERE wenr = NEW.wenr ORDER BY posnr;
  RETURN NULL;
END $$;
CREATE TRIGGER wekopf_bewegt AFTER UPDATE OF status, kz_retour, platznr, bestnr ON wekopf FOR EACH ROW EXECUTE FUNCTION wekopf_bewegt();

CREATE FUNCTION lieferung_bewegt() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  PERFORM waren_abgleichen('L', lfnr, posnr) FROM lieferpos WHERE lfnr = NEW.lfnr ORDER BY posnr;
  RETURN NULL;
END $$;
CREATE TRIGGER lieferung_bewegt AFTER UPDATE OF status, richtung, von_platz, vknr, versandt ON lieferung FOR EACH ROW EXECUTE FUNCTION lieferung_bewegt();
