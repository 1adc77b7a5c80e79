-- A finished production order moves stock: it takes its material, and its product is put into stock.

-- Takes an item from the free stock of a location, starting with what expires first, and returns the quantity that was
-- available.
CREATE FUNCTION material_entnehmen(m aufmat, p_menge numeric, p_platznr bigint, p_zeichen text) RETURNS numeric LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  b bestand;
  rest numeric := p_menge;
BEGIN
  FOR b IN SELECT * FROM bestand WHERE artid = m.artid AND platznr = p_platznr AND menge > 0 AND zustand IN ('F', 'K')
    ORDER BY tag_aus(verfall), menge DESC, bestandnr FOR UPDATE LOOP
    EXIT WHEN rest = 0;
    INSERT INTO bewegung (artid, art, menge, eh, platznr, fachnr, charge, seriennr, zustand, urspr_art, urspr, zeichen)
    VALUES (m.artid, 'AB', -least(rest, b.menge), m.eh, p_platznr, b.fachnr, b.charge, b.seriennr, b.zustand, 'F', m.bezug, p_zeichen);
    rest := rest - least(rest, b.menge);
  END LOOP;
  RETURN p_menge - rest;
END $$;

-- Material that was not issued before is taken for the quantity that was made. Material that is not in stock remains to be
-- issued.
CREATE FUNCTION fauf_verbrauchen(f fauf) RETURNS void LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  m aufmat;
  fehlt numeric;
  entnommen numeric;
BEGIN
  FOR m IN SELECT * FROM aufmat WHERE bezug_art = 'F' AND bezug = f.faufnr AND kz_lager = 'J' ORDER BY artid, matnr LOOP
    fehlt := round(m.mg_soll * (f.gut_mg + f.aus_mg) / nullif(f.menge, 0), 3) - m.mg_ausgabe + m.mg_retour;
    CONTINUE WHEN coalesce(fehlt, 0) <= 0;
    entnommen := material_entnehmen(m, fehlt, coalesce(m.platznr, f.zwischenlager, lagerort(m.artid)), f.faufkz);
    IF entnommen < fehlt AND m.platznr IS NULL THEN
      entnommen := entnommen + material_entnehmen(m, fehlt - entnommen, lagerort(m.artid), f.faufkz);
    END IF;
    UPDATE aufmat SET mg_ausgabe = mg_ausgabe + entnommen WHERE matnr = m.matnr AND entnommen > 0;
  END LOOP;
END $$;

-- Without a location for its product, an order puts it where most of it is stored.
CREATE FUNCTION fauf_einlagern() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  product artikel;
  neu numeric;
  ort bigint;
BEGIN
  SELECT * INTO product FROM artikel WHERE artid = NEW.artid;
  neu := NEW.gut_mg - (SELECT coalesce(sum(menge), 0) FROM bewegung WHERE urspr_art = 'F' AND urspr = NEW.faufnr AND artid = NEW.artid AND art IN ('PR', 'KO'));
  ort := coalesce(NEW.ziellager, NEW.platznr, lagerort(NEW.artid));
  PERFORM fauf_verbrauchen(NEW);
  IF product.kz_bestand IS DISTINCT FROM 'N' AND neu <> 0 AND ort IS NOT NULL THEN
    INSERT INTO bewegung (artid, art, menge, eh, platznr, charge, urspr_art, urspr, zeichen)
    VALUES (NEW.artid, CASE WHEN neu > 0 THEN 'PR' ELSE 'KO' END, neu, product.meins, ort,
      CASE product.chargen WHEN 'C' THEN coalesce(NEW.charge, 'L-' || NEW.faufnr) END, 'F', NEW.faufnr, NEW.faufkz);
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER fauf_einlagern AFTER UPDATE ON fauf FOR EACH ROW
  WHEN (NEW.status IN ('60', '80') AND (OLD.status NOT IN ('60', '80') OR NEW.gut_mg <> OLD.gut_mg)) EXECUTE FUNCTION fauf_einlagern();
