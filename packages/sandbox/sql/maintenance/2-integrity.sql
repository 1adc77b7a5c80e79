-- Keys, references and checks of equipment and its maintenance.

ALTER TABLE anlage ADD CONSTRAINT anlage_anlkz UNIQUE (anlkz), ADD FOREIGN KEY (ober_anl) REFERENCES anlage, ADD FOREIGN KEY (vorlage) REFERENCES anlage,
  ADD FOREIGN KEY (gruppe) REFERENCES schluessel (wert), ADD FOREIGN KEY (werknr) REFERENCES werk, ADD FOREIGN KEY (platznr) REFERENCES platz,
  ADD FOREIGN KEY (fachnr) REFERENCES fach, ADD FOREIGN KEY (liefnr) REFERENCES lief, ADD FOREIGN KEY (kdnr) REFERENCES kunde, ADD FOREIGN KEY (besitzer) REFERENCES personal,
  ADD FOREIGN KEY (nutzer) REFERENCES personal, ADD FOREIGN KEY (team) REFERENCES schluessel (wert), ADD FOREIGN KEY (konto) REFERENCES konto,
  ADD FOREIGN KEY (kst) REFERENCES abteilung, ADD FOREIGN KEY (waehr) REFERENCES waehrung (wkz) ON UPDATE CASCADE,
  ADD FOREIGN KEY (status_grund) REFERENCES schluessel (wert),
  ADD CONSTRAINT "AN-005: an asset cannot be its own parent" CHECK (ober_anl <> anlnr),
  ADD CONSTRAINT "AN-008: the warranty cannot end before it begins" CHECK (garantie_bis >= garantie_von);
ALTER TABLE anlzuord ADD CONSTRAINT anlzuord_zukz UNIQUE (zukz), ADD FOREIGN KEY (anlnr) REFERENCES anlage, ADD FOREIGN KEY (persnr) REFERENCES personal,
  ADD FOREIGN KEY (platznr) REFERENCES platz, ADD FOREIGN KEY (kdnr) REFERENCES kunde,
  ADD FOREIGN KEY (projnr) REFERENCES projekt,
  ADD CONSTRAINT "AZ-002: the asset cannot be due back before it is handed out" CHECK (soll_bis >= von);
ALTER TABLE zaehler ADD CONSTRAINT zaehler_zkz UNIQUE (zkz), ADD FOREIGN KEY (anlnr) REFERENCES anlage, ADD FOREIGN KEY (platznr) REFERENCES platz,
  ADD FOREIGN KEY (eh) REFERENCES einheit (eh) ON UPDATE CASCADE, ADD FOREIGN KEY (gruppe) REFERENCES schluessel (wert),
  ADD CONSTRAINT "ZA-003: the minimum reading is above the maximum" CHECK (max_wert >= min_wert);
ALTER TABLE zaehlstand ADD CONSTRAINT zaehlstand_zskz UNIQUE (zskz), ADD FOREIGN KEY (zaehlnr) REFERENCES zaehler, ADD FOREIGN KEY (anlnr) REFERENCES anlage,
  ADD FOREIGN KEY (eh) REFERENCES einheit (eh) ON UPDATE CASCADE, ADD FOREIGN KEY (ableser) REFERENCES personal,
  ADD FOREIGN KEY (aufid) REFERENCES auftrag ON DELETE SET NULL;
ALTER TABLE wplan ADD CONSTRAINT wplan_wpkz UNIQUE (wpkz), ADD FOREIGN KEY (art) REFERENCES schluessel (wert), ADD FOREIGN KEY (typ_anl) REFERENCES anlage,
  ADD FOREIGN KEY (werknr) REFERENCES werk, ADD FOREIGN KEY (platznr) REFERENCES platz, ADD FOREIGN KEY (team) REFERENCES schluessel (wert),
  ADD FOREIGN KEY (monteur) REFERENCES personal, ADD FOREIGN KEY (konto) REFERENCES konto;
ALTER TABLE wausloeser ADD CONSTRAINT wausloeser_wakz UNIQUE (wakz), ADD FOREIGN KEY (wpnr) REFERENCES wplan, ADD FOREIGN KEY (anlnr) REFERENCES anlage,
  ADD FOREIGN KEY (zaehlnr) REFERENCES zaehler, ADD FOREIGN KEY (eh) REFERENCES einheit (eh) ON UPDATE CASCADE;
ALTER TABLE meldung ADD CONSTRAINT meldung_meldkz UNIQUE (meldkz), ADD FOREIGN KEY (fachnr) REFERENCES fach, ADD FOREIGN KEY (anlnr) REFERENCES anlage, ADD FOREIGN KEY (werknr) REFERENCES werk,
  ADD FOREIGN KEY (platznr) REFERENCES platz, ADD FOREIGN KEY (freigeber) REFERENCES personal, ADD FOREIGN KEY (bearbeiter) REFERENCES personal,
  ADD FOREIGN KEY (team) REFERENCES schluessel (wert), ADD FOREIGN KEY (art) REFERENCES schluessel (wert),
  ADD FOREIGN KEY (problem) REFERENCES schluessel (wert), ADD FOREIGN KEY (abl_grund) REFERENCES schluessel (wert),
  ADD FOREIGN KEY (storno_grund) REFERENCES schluessel (wert), ADD FOREIGN KEY (aufid) REFERENCES auftrag ON DELETE SET NULL;
ALTER TABLE aufschritt ADD CONSTRAINT aufschritt_skz UNIQUE (skz), ADD FOREIGN KEY (aufid) REFERENCES auftrag ON DELETE CASCADE,
  ADD FOREIGN KEY (anlnr) REFERENCES anlage, ADD FOREIGN KEY (zaehlnr) REFERENCES zaehler, ADD FOREIGN KEY (monteur) REFERENCES personal,
  ADD FOREIGN KEY (erlediger) REFERENCES personal, ADD FOREIGN KEY (eh) REFERENCES einheit (eh) ON UPDATE CASCADE;
ALTER TABLE alarm ADD CONSTRAINT alarm_alkz UNIQUE (alkz), ADD FOREIGN KEY (anlnr) REFERENCES anlage, ADD FOREIGN KEY (zaehlnr) REFERENCES zaehler,
  ADD FOREIGN KEY (platznr) REFERENCES platz, ADD FOREIGN KEY (eh) REFERENCES einheit (eh) ON UPDATE CASCADE,
  ADD FOREIGN KEY (grund) REFERENCES schluessel (wert), ADD FOREIGN KEY (aufid) REFERENCES auftrag ON DELETE SET NULL;
ALTER TABLE auftrag ADD FOREIGN KEY (anlnr) REFERENCES anlage, ADD FOREIGN KEY (meldnr) REFERENCES meldung ON DELETE SET NULL,
  ADD FOREIGN KEY (wpnr) REFERENCES wplan ON DELETE SET NULL, ADD FOREIGN KEY (projnr) REFERENCES projekt;
ALTER TABLE auftrag ADD FOREIGN KEY (plinr) REFERENCES pruefliste ON DELETE SET NULL;
ALTER TABLE wplan ADD FOREIGN KEY (plinr) REFERENCES pruefliste ON DELETE SET NULL;
ALTER TABLE wausloeser ADD FOREIGN KEY (wdhnr) REFERENCES event_recurrences;
ALTER TABLE anlage ADD FOREIGN KEY (bild) REFERENCES anhang ON DELETE SET NULL;
CREATE INDEX zaehler_anlnr ON zaehler (anlnr);
CREATE INDEX zaehlstand_zaehlnr ON zaehlstand (zaehlnr, gelesen);
CREATE INDEX zaehlstand_aufid ON zaehlstand (aufid);
CREATE INDEX wausloeser_wpnr ON wausloeser (wpnr);
CREATE INDEX bestkopf_aufid ON bestkopf (aufid);
CREATE INDEX rechpos_aufid ON rechpos (aufid);
CREATE INDEX banf_aufid ON banf (aufid);
