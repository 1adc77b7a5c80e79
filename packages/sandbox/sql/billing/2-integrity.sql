-- Keys, references and checks of billing.

ALTER TABLE rechkopf ALTER COLUMN rechdat SET DEFAULT tag_mit_punkten(now());
ALTER TABLE gutschrift ALTER COLUMN gutdat SET DEFAULT tag_mit_punkten(now());
ALTER TABLE steuer ADD CONSTRAINT steuer_stkz UNIQUE (stkz), ADD FOREIGN KEY (lkz) REFERENCES land (lkz) ON UPDATE CASCADE,
  ADD FOREIGN KEY (mand) REFERENCES mandant (mand), ADD FOREIGN KEY (konto) REFERENCES konto,
  ADD CONSTRAINT "ST-004: a rate cannot end before it begins" CHECK (gueltig_bis >= gueltig_ab);
ALTER TABLE zahlbed ADD CONSTRAINT zahlbed_zbkz UNIQUE (zbkz);
ALTER TABLE zahlart ADD FOREIGN KEY (konto) REFERENCES konto;
ALTER TABLE rechkopf ADD FOREIGN KEY (kdnr) REFERENCES kunde, ADD FOREIGN KEY (liefnr) REFERENCES lief,
  ADD FOREIGN KEY (mand) REFERENCES mandant (mand), ADD FOREIGN KEY (kst) REFERENCES abteilung, ADD FOREIGN KEY (platznr) REFERENCES platz,
  ADD FOREIGN KEY (bestnr) REFERENCES bestkopf, ADD FOREIGN KEY (zbnr) REFERENCES zahlbed, ADD FOREIGN KEY (zahlart) REFERENCES zahlart,
  ADD FOREIGN KEY (waehr) REFERENCES waehrung (wkz) ON UPDATE CASCADE, ADD FOREIGN KEY (konto) REFERENCES konto,
  ADD FOREIGN KEY (freigeber) REFERENCES personal, ADD FOREIGN KEY (grund) REFERENCES schluessel (wert), ADD FOREIGN KEY (pernr) REFERENCES periode;
ALTER TABLE rechpos ADD FOREIGN KEY (rechnr) REFERENCES rechkopf ON DELETE CASCADE, ADD FOREIGN KEY (artid) REFERENCES artikel,
  ADD FOREIGN KEY (eh) REFERENCES einheit (eh) ON UPDATE CASCADE, ADD FOREIGN KEY (stnr) REFERENCES steuer, ADD FOREIGN KEY (konto) REFERENCES konto,
  ADD FOREIGN KEY (aufid) REFERENCES auftrag ON DELETE SET NULL, ADD FOREIGN KEY (persnr) REFERENCES personal, ADD FOREIGN KEY (kst) REFERENCES abteilung,
  ADD CONSTRAINT "RE-011: the quantity of a line must not be zero" CHECK (menge <> 0);
ALTER TABLE zahlung ADD CONSTRAINT zahlung_belegnr UNIQUE (belegnr), ADD FOREIGN KEY (kdnr) REFERENCES kunde, ADD FOREIGN KEY (liefnr) REFERENCES lief,
  ADD FOREIGN KEY (konto) REFERENCES konto, ADD FOREIGN KEY (zahlart) REFERENCES zahlart, ADD FOREIGN KEY (mand) REFERENCES mandant (mand),
  ADD FOREIGN KEY (kst) REFERENCES abteilung, ADD FOREIGN KEY (waehr) REFERENCES waehrung (wkz) ON UPDATE CASCADE,
  ADD FOREIGN KEY (bkonr) REFERENCES bankkto, ADD FOREIGN KEY (pernr) REFERENCES periode;
ALTER TABLE gutschrift ADD CONSTRAINT gutschrift_belegnr UNIQUE (belegnr), ADD FOREIGN KEY (kdnr) REFERENCES kunde, ADD FOREIGN KEY (liefnr) REFERENCES lief,
  ADD FOREIGN KEY (rechnr) REFERENCES rechkopf, ADD FOREIGN KEY (mand) REFERENCES mandant (mand), ADD FOREIGN KEY (kst) REFERENCES abteilung,
  ADD FOREIGN KEY (konto) REFERENCES konto, ADD FOREIGN KEY (waehr) REFERENCES waehrung (wkz) ON UPDATE CASCADE,
  ADD FOREIGN KEY (grund) REFERENCES schluessel (wert);
ALTER TABLE ausgleich ADD FOREIGN KEY (rechnr) REFERENCES rechkopf ON DELETE CASCADE;
CREATE INDEX ausgleich_rechnr ON ausgleich (rechnr);
CREATE INDEX rechkopf_bestnr ON rechkopf (bestnr);
CREATE INDEX rechkopf_fremdnr ON rechkopf (liefnr, fremdnr);
CREATE INDEX rechpos_best_pos ON rechpos (best_pos);
CREATE INDEX rechpos_vk_pos ON rechpos (vk_pos);
ALTER TABLE rechkopf ADD FOREIGN KEY (vknr) REFERENCES vkkopf, ADD FOREIGN KEY (vtrnr) REFERENCES vertrag, ADD FOREIGN KEY (projnr) REFERENCES projekt;
ALTER TABLE rechpos ADD FOREIGN KEY (anlnr) REFERENCES anlage, ADD FOREIGN KEY (projnr) REFERENCES projekt;
ALTER TABLE zahlung ADD FOREIGN KEY (projnr) REFERENCES projekt;
ALTER TABLE gutschrift ADD FOREIGN KEY (retnr) REFERENCES retoure, ADD FOREIGN KEY (projnr) REFERENCES projekt;
