-- Keys, references and checks of production.

ALTER TABLE arbplatz ADD CONSTRAINT arbplatz_apkz UNIQUE (apkz), ADD FOREIGN KEY (typ) REFERENCES schluessel (wert), ADD FOREIGN KEY (werknr) REFERENCES werk,
  ADD FOREIGN KEY (platznr) REFERENCES platz, ADD FOREIGN KEY (kst) REFERENCES abteilung, ADD FOREIGN KEY (waehr) REFERENCES waehrung (wkz) ON UPDATE CASCADE;
ALTER TABLE arbplan ADD CONSTRAINT arbplan_plkz UNIQUE (plkz), ADD FOREIGN KEY (artid) REFERENCES artikel, ADD FOREIGN KEY (werknr) REFERENCES werk;
ALTER TABLE plvorgang ADD FOREIGN KEY (plnr) REFERENCES arbplan ON DELETE CASCADE, ADD FOREIGN KEY (apnr) REFERENCES arbplatz,
  ADD FOREIGN KEY (liefnr) REFERENCES lief;
ALTER TABLE stueckliste ADD CONSTRAINT stueckliste_stlkz UNIQUE (stlkz), ADD FOREIGN KEY (artid) REFERENCES artikel,
  ADD FOREIGN KEY (eh) REFERENCES einheit (eh) ON UPDATE CASCADE, ADD FOREIGN KEY (mand) REFERENCES mandant (mand), ADD FOREIGN KEY (werknr) REFERENCES werk,
  ADD FOREIGN KEY (plnr) REFERENCES arbplan, ADD FOREIGN KEY (waehr) REFERENCES waehrung (wkz) ON UPDATE CASCADE,
  ADD CONSTRAINT "ST-010: the quantity of a bill of materials must be above zero" CHECK (menge > 0),
  ADD CONSTRAINT "ST-008: the bill of materials cannot end before it begins" CHECK (gueltig_bis = '00000000' OR gueltig_bis >= gueltig_ab);
ALTER TABLE stlpos ADD FOREIGN KEY (stlnr) REFERENCES stueckliste ON DELETE CASCADE, ADD FOREIGN KEY (artid) REFERENCES artikel,
  ADD FOREIGN KEY (eh) REFERENCES einheit (eh) ON UPDATE CASCADE, ADD FOREIGN KEY (unter_stl) REFERENCES stueckliste, ADD FOREIGN KEY (platznr) REFERENCES platz,
  ADD CONSTRAINT "ST-012: the quantity of a component must be above zero" CHECK (menge > 0);
ALTER TABLE fauf ADD CONSTRAINT fauf_faufkz UNIQUE (faufkz), ADD FOREIGN KEY (artid) REFERENCES artikel, ADD FOREIGN KEY (stlnr) REFERENCES stueckliste,
  ADD FOREIGN KEY (plnr) REFERENCES arbplan, ADD FOREIGN KEY (eh) REFERENCES einheit (eh) ON UPDATE CASCADE, ADD FOREIGN KEY (mand) REFERENCES mandant (mand),
  ADD FOREIGN KEY (kst) REFERENCES abteilung, ADD FOREIGN KEY (konto) REFERENCES konto, ADD FOREIGN KEY (werknr) REFERENCES werk,
  ADD FOREIGN KEY (platznr) REFERENCES platz, ADD FOREIGN KEY (zwischenlager) REFERENCES platz, ADD FOREIGN KEY (ziellager) REFERENCES platz,
  ADD FOREIGN KEY (ober_fauf) REFERENCES fauf ON DELETE SET NULL, ADD FOREIGN KEY (waehr) REFERENCES waehrung (wkz) ON UPDATE CASCADE,
  ADD CONSTRAINT "FA-010: the quantity of a production order must be above zero" CHECK (menge > 0),
  ADD CONSTRAINT "FA-008: the planned end is before the planned start" CHECK (plan_bis >= plan_von);
ALTER TABLE favorgang ADD CONSTRAINT favorgang_favkz UNIQUE (favkz), ADD FOREIGN KEY (faufnr) REFERENCES fauf ON DELETE CASCADE,
  ADD FOREIGN KEY (apnr) REFERENCES arbplatz, ADD FOREIGN KEY (persnr) REFERENCES personal,
  ADD CONSTRAINT "FV-008: the operation cannot end before it begins" CHECK (ist_bis >= ist_von);
ALTER TABLE aufmat ADD CONSTRAINT aufmat_matkz UNIQUE (matkz), ADD FOREIGN KEY (artid) REFERENCES artikel,
  ADD FOREIGN KEY (eh) REFERENCES einheit (eh) ON UPDATE CASCADE, ADD FOREIGN KEY (platznr) REFERENCES platz, ADD FOREIGN KEY (liefnr) REFERENCES lief,
  ADD FOREIGN KEY (waehr) REFERENCES waehrung (wkz) ON UPDATE CASCADE, ADD CONSTRAINT "AM-010: the planned quantity must be above zero" CHECK (mg_soll > 0);
ALTER TABLE aufres ADD CONSTRAINT aufres_reskz UNIQUE (reskz), ADD FOREIGN KEY (kapnr) REFERENCES kapazitaet, ADD FOREIGN KEY (persnr) REFERENCES personal,
  ADD FOREIGN KEY (liefnr) REFERENCES lief, ADD FOREIGN KEY (gewerk) REFERENCES schluessel (wert), ADD FOREIGN KEY (zeitart) REFERENCES schluessel (wert),
  ADD FOREIGN KEY (waehr) REFERENCES waehrung (wkz) ON UPDATE CASCADE, ADD FOREIGN KEY (konto) REFERENCES konto,
  ADD CONSTRAINT "RS-008: the work cannot end before it begins" CHECK (bis >= von);
ALTER TABLE kapazitaet ADD FOREIGN KEY (persnr) REFERENCES personal, ADD FOREIGN KEY (liefnr) REFERENCES lief, ADD FOREIGN KEY (gewerk) REFERENCES schluessel (wert),
  ADD FOREIGN KEY (team) REFERENCES schluessel (wert), ADD FOREIGN KEY (mand) REFERENCES mandant (mand), ADD FOREIGN KEY (konto) REFERENCES konto,
  ADD FOREIGN KEY (waehr) REFERENCES waehrung (wkz) ON UPDATE CASCADE;
ALTER TABLE arbplatz ADD FOREIGN KEY (anlnr) REFERENCES anlage;
ALTER TABLE stueckliste ADD FOREIGN KEY (projnr) REFERENCES projekt;
ALTER TABLE fauf ADD FOREIGN KEY (projnr) REFERENCES projekt, ADD FOREIGN KEY (vknr) REFERENCES vkkopf;
ALTER TABLE aufmat ADD FOREIGN KEY (fachnr) REFERENCES fach;
ALTER TABLE aufres ADD FOREIGN KEY (anlnr) REFERENCES anlage;
CREATE INDEX favorgang_faufnr ON favorgang (faufnr);
CREATE INDEX aufmat_bezug ON aufmat (bezug_art, bezug);
CREATE INDEX aufres_bezug ON aufres (bezug_art, bezug);
