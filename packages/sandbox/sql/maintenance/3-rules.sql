-- Rules of maintenance: what the system fills in, and what it refuses.

CALL kennung_vergeben('anlage', 'anlkz', 'AS-', 'anlnr');
CALL kennung_vergeben('anlzuord', 'zukz', 'AA-', 'zuordnr');
CALL kennung_vergeben('zaehler', 'zkz', 'MT-', 'zaehlnr');
CALL kennung_vergeben('zaehlstand', 'zskz', 'MR-', 'zsnr');
CALL kennung_vergeben('wplan', 'wpkz', 'MP-', 'wpnr');
CALL kennung_vergeben('wausloeser', 'wakz', 'TR-', 'wanr');
CALL kennung_vergeben('meldung', 'meldkz', 'WR-', 'meldnr');
CALL kennung_vergeben('alarm', 'alkz', 'AL-', 'alarmnr');

-- Rows are marked as changed when the lists of their parts change.
CREATE TRIGGER oberen_melden AFTER INSERT OR DELETE OR UPDATE OF anlnr ON zaehler FOR EACH ROW EXECUTE FUNCTION oberen_melden('anlage', 'anlnr');
CREATE TRIGGER oberen_melden AFTER INSERT OR DELETE OR UPDATE OF wpnr ON wausloeser FOR EACH ROW EXECUTE FUNCTION oberen_melden('wplan', 'wpnr');
CREATE TRIGGER oberen_melden AFTER INSERT OR DELETE ON aufschritt FOR EACH ROW EXECUTE FUNCTION oberen_melden('auftrag', 'aufid');
CREATE TRIGGER oberen_melden AFTER INSERT OR DELETE OR UPDATE OF aufid ON zaehlstand FOR EACH ROW EXECUTE FUNCTION oberen_melden('auftrag', 'aufid');
CREATE TRIGGER oberen_melden AFTER INSERT OR DELETE OR UPDATE OF aufid ON bestkopf FOR EACH ROW EXECUTE FUNCTION oberen_melden('auftrag', 'aufid');
CREATE TRIGGER oberen_melden AFTER INSERT OR DELETE OR UPDATE OF aufid ON banf FOR EACH ROW EXECUTE FUNCTION oberen_melden('auftrag', 'aufid');
CREATE TRIGGER oberen_melden AFTER INSERT OR DELETE OR UPDATE OF aufid ON rechpos FOR EACH ROW EXECUTE FUNCTION oberen_melden('auftrag', 'aufid');

-- Assets: book value at the end of the last month, by straight-line depreciation, and the date of retirement.
CREATE FUNCTION anlage_pruefen() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE alter_mon integer;
BEGIN
  IF TG_OP = 'UPDATE' AND NEW.status <> OLD.status THEN
    NEW.status_am := coalesce(nullif(NEW.status_am, OLD.status_am), now());
    NEW.stillgelegt := CASE WHEN NEW.status IN ('80', '90') THEN coalesce(NEW.stillgelegt, tag_mit_punkten(NEW.status_am)) END;
  END IF;
  CALL status_pruefen('ANL', NEW.status, 'AN-002: status % is not known for assets');
  CALL liste_pruefen('ANLG', NEW.status_grund, 'AN-014: % is not a reason for a change of status');
  SELECT greatest(0, extract(year FROM age) * 12 + extract(month FROM age)) INTO alter_mon
  FROM age(date_trunc('month', now() AT TIME ZONE 'UTC'), tag_aus(NEW.betrieb_ab)::timestamp) AS age;
  NEW.buchwert_ct := NEW.kauf_ct - (NEW.kauf_ct - coalesce(NEW.rest_ct, 0)) * least(1.0, coalesce(alter_mon::numeric / NEW.nutzung_mon, 0));
  RETURN NEW;
END $$;
CREATE TRIGGER b_anlage_pruefen BEFORE INSERT OR UPDATE ON anlage FOR EACH ROW EXECUTE FUNCTION anlage_pruefen();

CREATE FUNCTION anlzuord_pruefen() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE a anlage;
BEGIN
  SELECT * INTO a FROM anlage WHERE anlnr = NEW.anlnr;
  IF a.status IN ('80', '90') THEN
    RAISE EXCEPTION 'AZ-005: asset % (%) is out of service and cannot be handed out', a.anlkz, a.bez;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER b_anlzuord_pruefen BEFORE INSERT ON anlzuord FOR EACH ROW EXECUTE FUNCTION anlzuord_pruefen();

-- Meters: a reading gets the asset of its meter and the difference from the previous reading; the meter shows the latest.
CREATE FUNCTION zaehlstand_pruefen() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  z zaehler;
  davor numeric;
BEGIN
  SELECT * INTO z FROM zaehler WHERE zaehlnr = NEW.zaehlnr;
  IF zeit_aus(NEW.gelesen) > now() + interval '5 minutes' THEN
    RAISE EXCEPTION 'ZS-012: meter % cannot have been read on %, which is in the future', z.zkz, NEW.gelesen;
  ELSIF NEW.wert >= z.ueberlauf THEN
    RAISE EXCEPTION 'ZS-013: meter % restarts at %, so it cannot show %', z.zkz, z.ueberlauf, NEW.wert;
  ELSIF NEW.eh <> z.eh THEN
    RAISE EXCEPTION 'ZS-014: meter % counts in %, not in %; convert the reading', z.zkz, z.eh, NEW.eh;
  END IF;
  SELECT wert INTO davor FROM zaehlstand WHERE zaehlnr = NEW.zaehlnr AND gelesen < NEW.gelesen AND zsnr <> NEW.zsnr ORDER BY gelesen DESC LIMIT 1;
  IF z.art = 'L' AND NEW.kz_ueberlauf = 'N' AND NEW.wert < davor THEN
    RAISE EXCEPTION 'ZS-011: reading % of meter % is below the previous one (%); mark it as a rollover if the meter has restarted', NEW.wert, z.zkz, davor;
  END IF;
  NEW.anlnr := z.anlnr;
  NEW.delta := NEW.wert - davor + CASE WHEN NEW.kz_ueberlauf = 'J' THEN coalesce(z.ueberlauf, davor) ELSE 0 END;
  RETURN NEW;
END $$;
CREATE TRIGGER b_zaehlstand_pruefen BEFORE INSERT OR UPDATE ON zaehlstand FOR EACH ROW EXECUTE FUNCTION zaehlstand_pruefen();

CREATE FUNCTION zaehler_stellen() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  UPDATE zaehler SET (stand, stand_am) = (
    SELECT s.wert, s.gelesen FROM zaehlstand s WHERE s.zaehlnr = zaehler.zaehlnr ORDER BY s.gelesen DESC, s.zsnr DESC LIMIT 1)
  WHERE zaehlnr IN (OLD.zaehlnr, NEW.zaehlnr);
  RETURN NULL;
END $$;
CREATE TRIGGER zaehler_stellen AFTER INSERT OR DELETE OR UPDATE OF zaehlnr, wert, gelesen ON zaehlstand FOR EACH ROW EXECUTE FUNCTION zaehler_stellen();

-- Plans: a time trigger has its next date; a plan is due with the earliest of its triggers, an asset with the earliest plan.
CREATE FUNCTION wausloeser_pruefen() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE stunden numeric;
BEGIN
  IF NEW.art = 'M' AND NEW.zaehlnr IS NULL THEN
    RAISE EXCEPTION 'WA-007: a meter trigger needs a meter';
  END IF;
  IF NEW.art = 'T' THEN
    SELECT NEW.abstand * zaehler INTO stunden FROM einheit WHERE eh = NEW.eh AND 'H' IN (eh, basis_eh);
    NEW.naechste_am := coalesce(NEW.letzte_am + make_interval(hours => stunden::integer), beginn_des_tages(tag_aus(NEW.von)) + interval '6 hours');
  END IF;
  IF (NEW.letzte_am IS NOT NULL AND NEW.kz_wdh = 'N') OR NEW.naechste_am > beginn_des_tages(tag_aus(NEW.bis) + 1) THEN
    NEW.naechste_am := NULL;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER b_wausloeser_pruefen BEFORE INSERT OR UPDATE ON wausloeser FOR EACH ROW EXECUTE FUNCTION wausloeser_pruefen();

CREATE FUNCTION wplan_faellig() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  UPDATE wplan SET (faellig_am, letzte_am) = (
    SELECT min(w.naechste_am) FILTER (WHERE w.gesperrt = ' '), max(w.letzte_am) FROM wausloeser w WHERE w.wpnr = wplan.wpnr)
  WHERE wpnr IN (OLD.wpnr, NEW.wpnr);
  RETURN NULL;
END $$;
CREATE TRIGGER wplan_faellig AFTER INSERT OR UPDATE OR DELETE ON wausloeser FOR EACH ROW EXECUTE FUNCTION wplan_faellig();

CREATE FUNCTION anlage_faellig() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  UPDATE anlage SET wartung_am = (
    SELECT tag_text(min(p.faellig_am)) FROM wplan p
    WHERE p.gesperrt = ' ' AND (anlage.anlnr::text = ANY (string_to_array(p.anlagen, ' ')) OR anlage.vorlage = p.typ_anl))
  WHERE anlnr::text = ANY (string_to_array(concat_ws(' ', OLD.anlagen, NEW.anlagen), ' ')) OR vorlage IN (OLD.typ_anl, NEW.typ_anl);
  RETURN NULL;
END $$;
CREATE TRIGGER anlage_faellig AFTER INSERT OR DELETE OR UPDATE OF anlagen, typ_anl, faellig_am, gesperrt ON wplan
  FOR EACH ROW EXECUTE FUNCTION anlage_faellig();

-- Requests. Converting one creates a work order.
CREATE FUNCTION meldung_pruefen() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  CALL status_pruefen('MEL', NEW.status, 'ME-002: status % is not known for requests');
  CALL liste_pruefen('ABLG', NEW.abl_grund, 'ME-014: % is not a reason for rejection');
  CALL liste_pruefen('STOR', NEW.storno_grund, 'ME-015: % is not a reason for cancellation');
  IF TG_OP = 'INSERT' OR NEW.status = OLD.status THEN
    RETURN NEW;
  END IF;
  NEW.status_am := coalesce(nullif(NEW.status_am, OLD.status_am), now());
  IF NEW.status = '40' AND NEW.aufid IS NULL THEN
    INSERT INTO auftrag (kurztext, langtext, prio, prio_text, art, anlnr, werknr, platznr, melder, team, problem, kz_stillstand, soll_min, gemeldet, faellig, meldnr)
    VALUES (NEW.kurztext, NEW.langtext, NEW.prio, NEW.prio_text, coalesce(NEW.art, 'CM'), NEW.anlnr, NEW.werknr, NEW.platznr,
      CASE WHEN NEW.melder_art = 'P' THEN NEW.melder END, NEW.team, NEW.problem, NEW.kz_stillstand,
      (zahl_aus(NEW.soll_std) * 60)::integer, NEW.gemeldet, NEW.faellig, NEW.meldnr)
    RETURNING aufid INTO NEW.aufid;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER b_meldung_pruefen BEFORE INSERT OR UPDATE ON meldung FOR EACH ROW EXECUTE FUNCTION meldung_pruefen();

-- Steps of work orders.
CREATE FUNCTION aufschritt_pruefen() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE a auftrag;
BEGIN
  SELECT * INTO a FROM auftrag WHERE aufid = NEW.aufid;
  IF a.status IN ('50', '90') THEN
    RAISE EXCEPTION 'AU-051: work order % is finished; its steps cannot be changed', a.aufnr;
  END IF;
  IF split_part(NEW.ober_schritt, '/', 1) <> NEW.aufid::text OR NEW.ober_schritt = NEW.aufid || '/' || NEW.schritt THEN
    RAISE EXCEPTION 'AU-052: step % cannot be part of step %', NEW.aufid || '/' || NEW.schritt, NEW.ober_schritt;
  END IF;
  IF NEW.status = 'E' AND NEW.auswahl IS NOT NULL AND NEW.wert <> ALL (string_to_array(NEW.auswahl, '|')) THEN
    RAISE EXCEPTION 'AU-053: % is not an option of step %; choose one of %', NEW.wert, NEW.skz, replace(NEW.auswahl, '|', ', ');
  END IF;
  NEW.skz := coalesce(NEW.skz, a.aufnr || '/' || NEW.schritt);
  RETURN NEW;
END $$;
CREATE TRIGGER b_aufschritt_pruefen BEFORE INSERT OR UPDATE ON aufschritt FOR EACH ROW EXECUTE FUNCTION aufschritt_pruefen();

CREATE FUNCTION auftrag_schritte_pruefen() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE offen text;
BEGIN
  SELECT string_agg(bez, ', ' ORDER BY folge) INTO offen FROM aufschritt WHERE aufid = NEW.aufid AND kz_pflicht = 'J' AND status IN ('O', 'B');
  IF offen IS NOT NULL THEN
    RAISE EXCEPTION 'AU-054: work order % has mandatory steps that are not done: %', NEW.aufnr, offen;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER c_schritte_pruefen BEFORE UPDATE OF status ON auftrag FOR EACH ROW WHEN (NEW.status = '40' AND OLD.status <> '40')
  EXECUTE FUNCTION auftrag_schritte_pruefen();

-- Alarms.
CREATE FUNCTION alarm_pruefen() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  CALL liste_pruefen('ALGR', NEW.grund, 'AL-014: % is not a reason for closing an alarm');
  RETURN NEW;
END $$;
CREATE TRIGGER b_alarm_pruefen BEFORE INSERT OR UPDATE ON alarm FOR EACH ROW EXECUTE FUNCTION alarm_pruefen();
