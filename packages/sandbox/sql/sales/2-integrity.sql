-- Keys, references and checks of sales.

ALTER TABLE vkkopf ALTER COLUMN bestdat SET DEFAULT tag_mit_punkten(now());
ALTER TABLE angkopf ALTER COLUMN angdat SET DEFAULT tag_text(now());
ALTER TABLE retoure ALTER COLUMN retdat SET DEFAULT tag_mit_punkten(now());
ALTER TABLE chance ADD CONSTRAINT chance_kennung UNIQUE (kennung);
ALTER TABLE angkopf ADD CONSTRAINT angkopf_belegnr UNIQUE (belegnr);
ALTER TABLE vkkopf ADD CONSTRAINT vkkopf_belegnr UNIQUE (belegnr);
ALTER TABLE lieferung ADD CONSTRAINT lieferung_belegnr UNIQUE (belegnr);
ALTER TABLE komm ADD CONSTRAINT komm_belegnr UNIQUE (belegnr);
ALTER TABLE retoure ADD CONSTRAINT retoure_belegnr UNIQUE (belegnr);
CREATE INDEX angkopf_channr ON angkopf (channr);
CREATE INDEX angkopf_anfnr ON angkopf (anfnr);
CREATE INDEX lieferung_vknr ON lieferung (vknr);
CREATE INDEX lieferpos_vkpos ON lieferpos (vkpos);
CREATE INDEX bestkopf_vknr ON bestkopf (vknr);
ALTER TABLE chance ADD FOREIGN KEY (kdnr) REFERENCES kunde, ADD FOREIGN KEY (stufe) REFERENCES schluessel (wert),
  ADD FOREIGN KEY (verlust) REFERENCES schluessel (wert), ADD FOREIGN KEY (betreuer) REFERENCES personal,
  ADD FOREIGN KEY (waehr) REFERENCES waehrung (wkz) ON UPDATE CASCADE;
ALTER TABLE angkopf ADD FOREIGN KEY (kdnr) REFERENCES kunde, ADD FOREIGN KEY (liefnr) REFERENCES lief, ADD FOREIGN KEY (channr) REFERENCES chance,
  ADD FOREIGN KEY (betreuer) REFERENCES personal, ADD FOREIGN KEY (konto) REFERENCES konto, ADD FOREIGN KEY (kst) REFERENCES abteilung,
  ADD FOREIGN KEY (grund) REFERENCES schluessel (wert), ADD FOREIGN KEY (vknr) REFERENCES vkkopf,
  ADD FOREIGN KEY (waehr) REFERENCES waehrung (wkz) ON UPDATE CASCADE,
  ADD CONSTRAINT "AN-008: the quote cannot expire before its date" CHECK (gueltig >= angdat);
ALTER TABLE angpos ADD FOREIGN KEY (angnr) REFERENCES angkopf ON DELETE CASCADE, ADD FOREIGN KEY (artid) REFERENCES artikel,
  ADD FOREIGN KEY (eh) REFERENCES einheit (eh) ON UPDATE CASCADE, ADD FOREIGN KEY (konto) REFERENCES konto, ADD FOREIGN KEY (kst) REFERENCES abteilung,
  ADD CONSTRAINT "AN-012: the quantity of a line must be above zero" CHECK (menge > 0);
ALTER TABLE vkkopf ADD FOREIGN KEY (kdnr) REFERENCES kunde, ADD FOREIGN KEY (betreuer) REFERENCES personal, ADD FOREIGN KEY (mand) REFERENCES mandant (mand),
  ADD FOREIGN KEY (werknr) REFERENCES werk, ADD FOREIGN KEY (angnr) REFERENCES angkopf, ADD FOREIGN KEY (konto) REFERENCES konto,
  ADD FOREIGN KEY (kst) REFERENCES abteilung, ADD FOREIGN KEY (grund) REFERENCES schluessel (wert),
  ADD FOREIGN KEY (waehr) REFERENCES waehrung (wkz) ON UPDATE CASCADE;
ALTER TABLE vkpos ADD FOREIGN KEY (vknr) REFERENCES vkkopf ON DELETE CASCADE, ADD FOREIGN KEY (artid) REFERENCES artikel,
  ADD FOREIGN KEY (eh) REFERENCES einheit (eh) ON UPDATE CASCADE, ADD FOREIGN KEY (platznr) REFERENCES platz, ADD FOREIGN KEY (konto) REFERENCES konto,
  ADD FOREIGN KEY (kst) REFERENCES abteilung, ADD CONSTRAINT "VK-012: the quantity of a line must be above zero" CHECK (menge > 0);
ALTER TABLE lieferung ADD FOREIGN KEY (vknr) REFERENCES vkkopf, ADD FOREIGN KEY (bestnr) REFERENCES bestkopf, ADD FOREIGN KEY (kdnr) REFERENCES kunde,
  ADD FOREIGN KEY (liefnr) REFERENCES lief, ADD FOREIGN KEY (von_platz) REFERENCES platz, ADD FOREIGN KEY (nach_platz) REFERENCES platz,
  ADD FOREIGN KEY (gew_eh) REFERENCES einheit (eh) ON UPDATE CASCADE, ADD FOREIGN KEY (waehr) REFERENCES waehrung (wkz) ON UPDATE CASCADE,
  ADD FOREIGN KEY (packer) REFERENCES personal;
ALTER TABLE lieferpos ADD FOREIGN KEY (lfnr) REFERENCES lieferung ON DELETE CASCADE, ADD FOREIGN KEY (artid) REFERENCES artikel,
  ADD FOREIGN KEY (eh) REFERENCES einheit (eh) ON UPDATE CASCADE,
  ADD CONSTRAINT "LI-012: the quantity of a line must be above zero" CHECK (menge > 0);
ALTER TABLE komm ADD FOREIGN KEY (vknr) REFERENCES vkkopf, ADD FOREIGN KEY (kdnr) REFERENCES kunde, ADD FOREIGN KEY (liefnr) REFERENCES lief,
  ADD FOREIGN KEY (werknr) REFERENCES werk;
ALTER TABLE retoure ADD FOREIGN KEY (kdnr) REFERENCES kunde, ADD FOREIGN KEY (liefnr) REFERENCES lief, ADD FOREIGN KEY (vknr) REFERENCES vkkopf,
  ADD FOREIGN KEY (bestnr) REFERENCES bestkopf, ADD FOREIGN KEY (grund) REFERENCES schluessel (wert),
  ADD FOREIGN KEY (waehr) REFERENCES waehrung (wkz) ON UPDATE CASCADE;
ALTER TABLE retpos ADD FOREIGN KEY (retnr) REFERENCES retoure ON DELETE CASCADE, ADD FOREIGN KEY (artid) REFERENCES artikel,
  ADD FOREIGN KEY (eh) REFERENCES einheit (eh) ON UPDATE CASCADE, ADD FOREIGN KEY (grund) REFERENCES schluessel (wert),
  ADD CONSTRAINT "RT-012: the quantity of a line must be above zero" CHECK (menge > 0);
ALTER TABLE bestkopf ADD FOREIGN KEY (vknr) REFERENCES vkkopf ON DELETE SET NULL;
ALTER TABLE angkopf ADD FOREIGN KEY (zbnr) REFERENCES zahlbed, ADD FOREIGN KEY (rechnr) REFERENCES rechkopf;
ALTER TABLE angpos ADD FOREIGN KEY (stnr) REFERENCES steuer;
ALTER TABLE vkkopf ADD FOREIGN KEY (zbnr) REFERENCES zahlbed, ADD FOREIGN KEY (zahlart) REFERENCES zahlart ON UPDATE CASCADE;
ALTER TABLE vkpos ADD FOREIGN KEY (stnr) REFERENCES steuer;
ALTER TABLE retoure ADD FOREIGN KEY (gutnr) REFERENCES gutschrift;
ALTER TABLE angkopf ADD FOREIGN KEY (projnr) REFERENCES projekt;
ALTER TABLE angpos ADD FOREIGN KEY (projnr) REFERENCES projekt;
ALTER TABLE vkkopf ADD FOREIGN KEY (projnr) REFERENCES projekt;
ALTER TABLE vkpos ADD FOREIGN KEY (projnr) REFERENCES projekt;
ALTER TABLE lieferung ADD FOREIGN KEY (lbnr) REFERENCES lagerbeleg;
ALTER TABLE lagerbeleg ADD FOREIGN KEY (lfnr) REFERENCES lieferung;
ALTER TABLE komm ADD FOREIGN KEY (lbnr) REFERENCES lagerbeleg;
