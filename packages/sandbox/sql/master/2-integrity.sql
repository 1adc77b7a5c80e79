-- Keys, references and checks of the master data.

ALTER TABLE waehrung ADD CONSTRAINT waehrung_wkz UNIQUE (wkz);
ALTER TABLE land ADD CONSTRAINT land_lkz UNIQUE (lkz), ADD FOREIGN KEY (waehr) REFERENCES waehrung (wkz) ON UPDATE CASCADE;
ALTER TABLE einheit ADD CONSTRAINT einheit_eh UNIQUE (eh), ADD FOREIGN KEY (basis_eh) REFERENCES einheit (eh) ON UPDATE CASCADE;
ALTER TABLE schluessel ADD CONSTRAINT schluessel_wert UNIQUE (wert);
ALTER TABLE mandant ADD CONSTRAINT mandant_mand UNIQUE (mand);
ALTER TABLE gjkal ADD CONSTRAINT gjkal_kalkz UNIQUE (kalkz), ADD CONSTRAINT "GJ-003: a fiscal year has 1 to 53 periods" CHECK (perioden BETWEEN 1 AND 53);
ALTER TABLE personal ADD CONSTRAINT personal_kuerzel UNIQUE (kuerzel);
ALTER TABLE platz ADD CONSTRAINT "PL-004: a place cannot contain itself" CHECK (ueber <> platznr);
ALTER TABLE werk ADD CONSTRAINT werk_kz UNIQUE (kz);
ALTER TABLE platz ADD CONSTRAINT platz_kz UNIQUE (kz);
ALTER TABLE konto ADD CONSTRAINT konto_ktonr UNIQUE (ktonr);
ALTER TABLE gp ADD CONSTRAINT gp_gpkz UNIQUE (gpkz), ADD CONSTRAINT "GP-004: a partner cannot belong to itself" CHECK (konzern <> gpnr);
ALTER TABLE lief ADD CONSTRAINT lief_suchbegr UNIQUE (suchbegr), ADD CONSTRAINT lief_gpnr UNIQUE (gpnr);
ALTER TABLE kunde ADD CONSTRAINT kunde_suchbegr UNIQUE (suchbegr), ADD CONSTRAINT kunde_gpnr UNIQUE (gpnr);
ALTER TABLE artikel ADD CONSTRAINT artikel_artnr UNIQUE (artnr);
CREATE INDEX adresse_bezug ON adresse (bezug_art, bezug);
CREATE INDEX ort_lkz ON ort (lkz);
ALTER TABLE ort ADD FOREIGN KEY (ueber) REFERENCES ort, ADD FOREIGN KEY (lkz) REFERENCES land (lkz) ON UPDATE CASCADE;
ALTER TABLE gjkal ADD FOREIGN KEY (mand) REFERENCES mandant (mand), ADD FOREIGN KEY (kst) REFERENCES abteilung, ADD FOREIGN KEY (leiter) REFERENCES personal,
  ADD FOREIGN KEY (platznr) REFERENCES platz;
ALTER TABLE mandant ADD FOREIGN KEY (ueber) REFERENCES mandant (mand), ADD FOREIGN KEY (waehr) REFERENCES waehrung (wkz) ON UPDATE CASCADE,
  ADD FOREIGN KEY (kalkz) REFERENCES gjkal (kalkz) ON UPDATE CASCADE;
ALTER TABLE abteilung ADD FOREIGN KEY (mand) REFERENCES mandant (mand), ADD FOREIGN KEY (ueber_kst) REFERENCES abteilung, ADD FOREIGN KEY (leiter) REFERENCES personal,
  ADD FOREIGN KEY (waehr) REFERENCES waehrung (wkz) ON UPDATE CASCADE;
ALTER TABLE personal ADD FOREIGN KEY (lkz) REFERENCES land (lkz) ON UPDATE CASCADE, ADD FOREIGN KEY (spr) REFERENCES sprache,
  ADD FOREIGN KEY (mand) REFERENCES mandant (mand), ADD FOREIGN KEY (kst) REFERENCES abteilung, ADD FOREIGN KEY (vorges) REFERENCES personal,
  ADD FOREIGN KEY (platznr) REFERENCES platz, ADD FOREIGN KEY (waehr) REFERENCES waehrung (wkz) ON UPDATE CASCADE;
ALTER TABLE werk ADD FOREIGN KEY (mand) REFERENCES mandant (mand), ADD FOREIGN KEY (kdnr) REFERENCES kunde;
ALTER TABLE platz ADD FOREIGN KEY (werknr) REFERENCES werk, ADD FOREIGN KEY (mand) REFERENCES mandant (mand), ADD FOREIGN KEY (ueber) REFERENCES platz,
  ADD FOREIGN KEY (leiter) REFERENCES personal, ADD FOREIGN KEY (team) REFERENCES schluessel (wert);
ALTER TABLE konto ADD FOREIGN KEY (ueber) REFERENCES konto, ADD FOREIGN KEY (mand) REFERENCES mandant (mand), ADD FOREIGN KEY (kst) REFERENCES abteilung,
  ADD FOREIGN KEY (leiter) REFERENCES personal, ADD FOREIGN KEY (platznr) REFERENCES platz,
  ADD FOREIGN KEY (waehr) REFERENCES waehrung (wkz) ON UPDATE CASCADE;
ALTER TABLE gp ADD FOREIGN KEY (waehr) REFERENCES waehrung (wkz) ON UPDATE CASCADE, ADD FOREIGN KEY (konzern) REFERENCES gp;
ALTER TABLE lief ADD FOREIGN KEY (gpnr) REFERENCES gp;
ALTER TABLE kunde ADD FOREIGN KEY (gpnr) REFERENCES gp;
ALTER TABLE lief ADD FOREIGN KEY (waehr) REFERENCES waehrung (wkz) ON UPDATE CASCADE, ADD FOREIGN KEY (kreditor) REFERENCES konto (ktonr) ON UPDATE CASCADE,
  ADD FOREIGN KEY (gruppe) REFERENCES schluessel (wert), ADD FOREIGN KEY (mand) REFERENCES mandant (mand);
ALTER TABLE kunde ADD FOREIGN KEY (waehr) REFERENCES waehrung (wkz) ON UPDATE CASCADE, ADD FOREIGN KEY (debitor) REFERENCES konto (ktonr) ON UPDATE CASCADE,
  ADD FOREIGN KEY (konzern) REFERENCES kunde, ADD FOREIGN KEY (gruppe) REFERENCES schluessel (wert), ADD FOREIGN KEY (betreuer) REFERENCES personal,
  ADD FOREIGN KEY (mand) REFERENCES mandant (mand);
ALTER TABLE adresse ADD FOREIGN KEY (lkz) REFERENCES land (lkz) ON UPDATE CASCADE, ADD FOREIGN KEY (ortnr) REFERENCES ort;
ALTER TABLE artikel ADD FOREIGN KEY (vorlage) REFERENCES artikel, ADD FOREIGN KEY (urspr_land) REFERENCES land (lkz) ON UPDATE CASCADE,
  ADD CONSTRAINT "AR-005: an item cannot be a variant of itself" CHECK (vorlage <> artid);
ALTER TABLE artikel ADD FOREIGN KEY (gruppe) REFERENCES schluessel (wert), ADD FOREIGN KEY (meins) REFERENCES einheit (eh) ON UPDATE CASCADE,
  ADD FOREIGN KEY (bestell_eh) REFERENCES einheit (eh) ON UPDATE CASCADE, ADD FOREIGN KEY (verkauf_eh) REFERENCES einheit (eh) ON UPDATE CASCADE,
  ADD FOREIGN KEY (mand) REFERENCES mandant (mand), ADD FOREIGN KEY (hauptlief) REFERENCES lief, ADD FOREIGN KEY (waehr) REFERENCES waehrung (wkz) ON UPDATE CASCADE,
  ADD FOREIGN KEY (erloes_kto) REFERENCES konto (ktonr) ON UPDATE CASCADE, ADD FOREIGN KEY (aufwand_kto) REFERENCES konto (ktonr) ON UPDATE CASCADE,
  ADD FOREIGN KEY (bestand_kto) REFERENCES konto (ktonr) ON UPDATE CASCADE;
