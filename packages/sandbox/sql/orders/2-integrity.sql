-- Keys, references and checks of work orders and purchase orders.

ALTER TABLE auftrag ALTER COLUMN erfasst SET DEFAULT zeit_text(now());
ALTER TABLE bestkopf ALTER COLUMN bestdat SET DEFAULT tag_mit_punkten(now());
ALTER TABLE auftrag ADD CONSTRAINT auftrag_aufnr UNIQUE (aufnr);
ALTER TABLE bestkopf ADD CONSTRAINT bestkopf_belegnr UNIQUE (belegnr);
ALTER TABLE auftrag ADD FOREIGN KEY (ober_auf) REFERENCES auftrag, ADD FOREIGN KEY (werknr) REFERENCES werk, ADD FOREIGN KEY (platznr) REFERENCES platz,
  ADD FOREIGN KEY (lager) REFERENCES platz, ADD FOREIGN KEY (mand) REFERENCES mandant (mand), ADD FOREIGN KEY (kst) REFERENCES abteilung,
  ADD FOREIGN KEY (konto) REFERENCES konto, ADD FOREIGN KEY (kdnr) REFERENCES kunde, ADD FOREIGN KEY (melder) REFERENCES personal,
  ADD FOREIGN KEY (freigeber) REFERENCES personal, ADD FOREIGN KEY (meister) REFERENCES personal, ADD FOREIGN KEY (monteur) REFERENCES personal,
  ADD FOREIGN KEY (liefnr) REFERENCES lief, ADD FOREIGN KEY (art) REFERENCES schluessel (wert), ADD FOREIGN KEY (team) REFERENCES schluessel (wert),
  ADD FOREIGN KEY (problem) REFERENCES schluessel (wert), ADD FOREIGN KEY (schaden) REFERENCES schluessel (wert),
  ADD FOREIGN KEY (ursache) REFERENCES schluessel (wert), ADD FOREIGN KEY (abhilfe) REFERENCES schluessel (wert),
  ADD FOREIGN KEY (halt_grund) REFERENCES schluessel (wert), ADD FOREIGN KEY (storno_grund) REFERENCES schluessel (wert),
  ADD FOREIGN KEY (waehr) REFERENCES waehrung (wkz) ON UPDATE CASCADE,
  ADD CONSTRAINT "AU-008: the planned end is before the planned start" CHECK (plan_bis >= plan_von);
ALTER TABLE auftrag_hist ADD FOREIGN KEY (aufid) REFERENCES auftrag ON DELETE CASCADE;
ALTER TABLE bestkopf ADD FOREIGN KEY (liefnr) REFERENCES lief, ADD FOREIGN KEY (mand) REFERENCES mandant (mand), ADD FOREIGN KEY (kst) REFERENCES abteilung,
  ADD FOREIGN KEY (werknr) REFERENCES werk, ADD FOREIGN KEY (einkaeufer) REFERENCES personal, ADD FOREIGN KEY (anforderer) REFERENCES personal,
  ADD FOREIGN KEY (freigeber) REFERENCES personal, ADD FOREIGN KEY (kdnr) REFERENCES kunde, ADD FOREIGN KEY (lieferplatz) REFERENCES platz,
  ADD FOREIGN KEY (aufid) REFERENCES auftrag ON DELETE SET NULL, ADD FOREIGN KEY (konto) REFERENCES konto,
  ADD FOREIGN KEY (waehr) REFERENCES waehrung (wkz) ON UPDATE CASCADE, ADD FOREIGN KEY (grund) REFERENCES schluessel (wert);
ALTER TABLE bestpos ADD FOREIGN KEY (bestnr) REFERENCES bestkopf ON DELETE CASCADE, ADD FOREIGN KEY (artid) REFERENCES artikel,
  ADD FOREIGN KEY (eh) REFERENCES einheit (eh) ON UPDATE CASCADE, ADD FOREIGN KEY (lieferplatz) REFERENCES platz,
  ADD FOREIGN KEY (aufid) REFERENCES auftrag ON DELETE SET NULL, ADD FOREIGN KEY (konto) REFERENCES konto, ADD FOREIGN KEY (kst) REFERENCES abteilung,
  ADD CONSTRAINT "BE-012: the quantity of a line must be above zero" CHECK (menge > 0);
CREATE INDEX auftrag_hist_zeit ON auftrag_hist (zeit);
