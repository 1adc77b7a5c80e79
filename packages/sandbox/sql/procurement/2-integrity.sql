-- Keys, references and checks of purchasing.

ALTER TABLE projekt ADD CONSTRAINT projekt_projkz UNIQUE (projkz);
ALTER TABLE vertrag ADD CONSTRAINT vertrag_vtrkz UNIQUE (vtrkz);
ALTER TABLE banf ADD CONSTRAINT banf_belegnr UNIQUE (belegnr);
ALTER TABLE anfrage ADD CONSTRAINT anfrage_belegnr UNIQUE (belegnr);
ALTER TABLE wekopf ADD CONSTRAINT wekopf_belegnr UNIQUE (belegnr);
ALTER TABLE anfrage ALTER COLUMN anfdat SET DEFAULT tag_text(now());
ALTER TABLE projekt ADD FOREIGN KEY (kdnr) REFERENCES kunde, ADD FOREIGN KEY (leiter) REFERENCES personal, ADD FOREIGN KEY (ober_proj) REFERENCES projekt,
  ADD FOREIGN KEY (mand) REFERENCES mandant (mand), ADD FOREIGN KEY (kst) REFERENCES abteilung, ADD FOREIGN KEY (werknr) REFERENCES werk,
  ADD FOREIGN KEY (konto) REFERENCES konto, ADD FOREIGN KEY (waehr) REFERENCES waehrung (wkz) ON UPDATE CASCADE;
ALTER TABLE vertrag ADD FOREIGN KEY (mand) REFERENCES mandant (mand), ADD FOREIGN KEY (betreuer) REFERENCES personal,
  ADD FOREIGN KEY (waehr) REFERENCES waehrung (wkz) ON UPDATE CASCADE,
  ADD CONSTRAINT "VT-008: the contract cannot end before it begins" CHECK (ende >= beginn);
ALTER TABLE banf ADD FOREIGN KEY (anforderer) REFERENCES personal, ADD FOREIGN KEY (freigeber) REFERENCES personal,
  ADD FOREIGN KEY (mand) REFERENCES mandant (mand), ADD FOREIGN KEY (kst) REFERENCES abteilung, ADD FOREIGN KEY (werknr) REFERENCES werk,
  ADD FOREIGN KEY (lieferplatz) REFERENCES platz, ADD FOREIGN KEY (liefnr) REFERENCES lief, ADD FOREIGN KEY (aufid) REFERENCES auftrag ON DELETE SET NULL,
  ADD FOREIGN KEY (projnr) REFERENCES projekt, ADD FOREIGN KEY (konto) REFERENCES konto, ADD FOREIGN KEY (abl_grund) REFERENCES schluessel (wert),
  ADD FOREIGN KEY (storno_grund) REFERENCES schluessel (wert), ADD FOREIGN KEY (waehr) REFERENCES waehrung (wkz) ON UPDATE CASCADE;
ALTER TABLE banfpos ADD FOREIGN KEY (banfnr) REFERENCES banf ON DELETE CASCADE, ADD FOREIGN KEY (artid) REFERENCES artikel,
  ADD FOREIGN KEY (eh) REFERENCES einheit (eh) ON UPDATE CASCADE, ADD FOREIGN KEY (liefnr) REFERENCES lief, ADD FOREIGN KEY (lieferplatz) REFERENCES platz,
  ADD FOREIGN KEY (aufid) REFERENCES auftrag ON DELETE SET NULL, ADD FOREIGN KEY (konto) REFERENCES konto, ADD FOREIGN KEY (kst) REFERENCES abteilung,
  ADD FOREIGN KEY (projnr) REFERENCES projekt, ADD CONSTRAINT "BA-012: the quantity of a line must be above zero" CHECK (menge > 0);
ALTER TABLE anfrage ADD FOREIGN KEY (mand) REFERENCES mandant (mand), ADD FOREIGN KEY (werknr) REFERENCES werk, ADD FOREIGN KEY (banfnr) REFERENCES banf,
  ADD FOREIGN KEY (projnr) REFERENCES projekt, ADD FOREIGN KEY (einkaeufer) REFERENCES personal,
  ADD FOREIGN KEY (waehr) REFERENCES waehrung (wkz) ON UPDATE CASCADE,
  ADD CONSTRAINT "AN-008: the request cannot be due before its date" CHECK (frist >= anfdat);
ALTER TABLE wekopf ADD FOREIGN KEY (liefnr) REFERENCES lief, ADD FOREIGN KEY (bestnr) REFERENCES bestkopf, ADD FOREIGN KEY (mand) REFERENCES mandant (mand),
  ADD FOREIGN KEY (platznr) REFERENCES platz, ADD FOREIGN KEY (annehmer) REFERENCES personal,
  ADD FOREIGN KEY (waehr) REFERENCES waehrung (wkz) ON UPDATE CASCADE;
ALTER TABLE wepos ADD FOREIGN KEY (wenr) REFERENCES wekopf ON DELETE CASCADE, ADD FOREIGN KEY (best_nr, best_pnr) REFERENCES bestpos,
  ADD FOREIGN KEY (artid) REFERENCES artikel, ADD FOREIGN KEY (eh) REFERENCES einheit (eh) ON UPDATE CASCADE, ADD FOREIGN KEY (platznr) REFERENCES platz,
  ADD FOREIGN KEY (sperrplatz) REFERENCES platz, ADD CONSTRAINT "WE-012: the quantity of a line must be above zero" CHECK (menge > 0),
  ADD CONSTRAINT "WE-013: more was accepted and rejected than received"
  CHECK (coalesce(mg_gut, 0) >= 0 AND coalesce(mg_gut, 0) + coalesce(mg_abgelehnt, 0) <= menge);
ALTER TABLE lief ADD FOREIGN KEY (zbnr) REFERENCES zahlbed, ADD FOREIGN KEY (zahlart) REFERENCES zahlart, ADD FOREIGN KEY (stnr) REFERENCES steuer;
ALTER TABLE kunde ADD FOREIGN KEY (zbnr) REFERENCES zahlbed, ADD FOREIGN KEY (zahlart) REFERENCES zahlart, ADD FOREIGN KEY (stnr) REFERENCES steuer;
ALTER TABLE vertrag ADD FOREIGN KEY (zbnr) REFERENCES zahlbed;
ALTER TABLE banfpos ADD FOREIGN KEY (vknr) REFERENCES vkkopf;
ALTER TABLE wepos ADD FOREIGN KEY (fachnr) REFERENCES fach, ADD FOREIGN KEY (anlnr) REFERENCES anlage;
ALTER TABLE bestkopf ADD FOREIGN KEY (zbnr) REFERENCES zahlbed;
ALTER TABLE bestkopf ADD FOREIGN KEY (vtrnr) REFERENCES vertrag, ADD FOREIGN KEY (banfnr) REFERENCES banf, ADD FOREIGN KEY (anfnr) REFERENCES anfrage,
  ADD FOREIGN KEY (projnr) REFERENCES projekt;
ALTER TABLE bestpos ADD FOREIGN KEY (projnr) REFERENCES projekt, ADD FOREIGN KEY (stnr) REFERENCES steuer, ADD FOREIGN KEY (anlnr) REFERENCES anlage,
  ADD FOREIGN KEY (banf_nr, banf_pnr) REFERENCES banfpos;
CREATE INDEX bestkopf_banfnr ON bestkopf (banfnr);
ALTER TABLE angkopf ADD FOREIGN KEY (anfnr) REFERENCES anfrage;
CREATE INDEX anfrage_banfnr ON anfrage (banfnr);
CREATE INDEX bestkopf_anfnr ON bestkopf (anfnr);
CREATE INDEX bestkopf_projnr ON bestkopf (projnr);
CREATE INDEX bestpos_banf ON bestpos (banf_nr, banf_pnr);
CREATE INDEX wekopf_bestnr ON wekopf (bestnr);
