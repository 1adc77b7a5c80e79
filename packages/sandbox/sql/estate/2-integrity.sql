-- Keys, references and checks of real estate.

ALTER TABLE liegenschaft ADD CONSTRAINT liegenschaft_kz UNIQUE (kz), ADD FOREIGN KEY (art) REFERENCES schluessel (wert),
  ADD FOREIGN KEY (mand) REFERENCES mandant (mand), ADD FOREIGN KEY (verwalter) REFERENCES personal,
  ADD FOREIGN KEY (eh) REFERENCES einheit (eh) ON UPDATE CASCADE, ADD FOREIGN KEY (waehr) REFERENCES waehrung (wkz) ON UPDATE CASCADE;
ALTER TABLE flaeche ADD CONSTRAINT flaeche_kz UNIQUE (kz), ADD FOREIGN KEY (lgnr) REFERENCES liegenschaft, ADD FOREIGN KEY (platznr) REFERENCES platz,
  ADD FOREIGN KEY (ueber) REFERENCES flaeche, ADD FOREIGN KEY (art) REFERENCES schluessel (wert),
  ADD FOREIGN KEY (eh) REFERENCES einheit (eh) ON UPDATE CASCADE, ADD CONSTRAINT "FL-004: a space cannot contain itself" CHECK (ueber <> flnr);
ALTER TABLE mietvertrag ADD CONSTRAINT mietvertrag_kz UNIQUE (kz), ADD FOREIGN KEY (lgnr) REFERENCES liegenschaft, ADD FOREIGN KEY (flnr) REFERENCES flaeche,
  ADD FOREIGN KEY (manr) REFERENCES mietantrag, ADD FOREIGN KEY (waehr) REFERENCES waehrung (wkz) ON UPDATE CASCADE,
  ADD FOREIGN KEY (eh) REFERENCES einheit (eh) ON UPDATE CASCADE;
ALTER TABLE mietantrag ADD CONSTRAINT mietantrag_kz UNIQUE (kz), ADD FOREIGN KEY (lgnr) REFERENCES liegenschaft, ADD FOREIGN KEY (flnr) REFERENCES flaeche,
  ADD FOREIGN KEY (entscheider) REFERENCES personal, ADD FOREIGN KEY (mvnr) REFERENCES mietvertrag,
  ADD FOREIGN KEY (waehr) REFERENCES waehrung (wkz) ON UPDATE CASCADE;
ALTER TABLE mietvertrag ADD FOREIGN KEY (vtrnr) REFERENCES vertrag;
