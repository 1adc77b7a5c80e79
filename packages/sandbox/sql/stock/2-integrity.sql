-- Keys, references and checks of the warehouse.

ALTER TABLE fach ADD CONSTRAINT fach_kz UNIQUE (kz), ADD CONSTRAINT "FA-004: a bin cannot contain itself" CHECK (ueber <> fachnr),
  ADD FOREIGN KEY (platznr) REFERENCES platz, ADD FOREIGN KEY (ueber) REFERENCES fach, ADD FOREIGN KEY (kap_eh) REFERENCES einheit (eh) ON UPDATE CASCADE;
ALTER TABLE bestand ADD CONSTRAINT bestand_kz UNIQUE (kz), ADD FOREIGN KEY (artid) REFERENCES artikel, ADD FOREIGN KEY (platznr) REFERENCES platz,
  ADD FOREIGN KEY (fachnr) REFERENCES fach, ADD FOREIGN KEY (eh) REFERENCES einheit (eh) ON UPDATE CASCADE,
  ADD FOREIGN KEY (eignernr) REFERENCES lief,
  ADD FOREIGN KEY (waehr) REFERENCES waehrung (wkz) ON UPDATE CASCADE, ADD CONSTRAINT "BS-012: stock cannot be negative" CHECK (menge >= 0),
  ADD CONSTRAINT "BS-013: the maximum stock is below the minimum" CHECK (max_mg >= min_mg);
ALTER TABLE bezug ADD CONSTRAINT bezug_kz UNIQUE (kz), ADD FOREIGN KEY (artid) REFERENCES artikel, ADD FOREIGN KEY (liefnr) REFERENCES lief,
  ADD FOREIGN KEY (eh) REFERENCES einheit (eh) ON UPDATE CASCADE, ADD FOREIGN KEY (waehr) REFERENCES waehrung (wkz) ON UPDATE CASCADE;
ALTER TABLE lagerbeleg ADD CONSTRAINT lagerbeleg_belegnr UNIQUE (belegnr),
  ADD FOREIGN KEY (platz_von) REFERENCES platz, ADD FOREIGN KEY (platz_nach) REFERENCES platz, ADD FOREIGN KEY (platznr) REFERENCES platz,
  ADD FOREIGN KEY (fach_von) REFERENCES fach, ADD FOREIGN KEY (fach_nach) REFERENCES fach, ADD FOREIGN KEY (fachnr) REFERENCES fach,
  ADD FOREIGN KEY (platz_transit) REFERENCES platz,
  ADD FOREIGN KEY (grund) REFERENCES schluessel (wert), ADD FOREIGN KEY (storno_grund) REFERENCES schluessel (wert),
  ADD FOREIGN KEY (anforderer) REFERENCES personal, ADD FOREIGN KEY (freigeber) REFERENCES personal, ADD FOREIGN KEY (lagerist) REFERENCES personal,
  ADD FOREIGN KEY (zaehler) REFERENCES personal, ADD FOREIGN KEY (konto) REFERENCES konto, ADD FOREIGN KEY (kst) REFERENCES abteilung,
  ADD FOREIGN KEY (waehr) REFERENCES waehrung (wkz) ON UPDATE CASCADE;
ALTER TABLE bewegung ADD CONSTRAINT bewegung_kz UNIQUE (kz), ADD FOREIGN KEY (artid) REFERENCES artikel, ADD FOREIGN KEY (platznr) REFERENCES platz,
  ADD FOREIGN KEY (fachnr) REFERENCES fach, ADD FOREIGN KEY (platz_nach) REFERENCES platz, ADD FOREIGN KEY (fach_nach) REFERENCES fach,
  ADD FOREIGN KEY (eh) REFERENCES einheit (eh) ON UPDATE CASCADE, ADD FOREIGN KEY (waehr) REFERENCES waehrung (wkz) ON UPDATE CASCADE,
  ADD FOREIGN KEY (lbnr) REFERENCES lagerbeleg, ADD FOREIGN KEY (grund) REFERENCES schluessel (wert), ADD FOREIGN KEY (konto) REFERENCES konto,
  ADD FOREIGN KEY (persnr) REFERENCES personal, ADD CONSTRAINT "BW-010: the quantity of a movement cannot be zero" CHECK (menge <> 0);
ALTER TABLE ausgabe ADD CONSTRAINT ausgabe_kz UNIQUE (kz), ADD FOREIGN KEY (artid) REFERENCES artikel, ADD FOREIGN KEY (persnr) REFERENCES personal,
  ADD FOREIGN KEY (aufid) REFERENCES auftrag ON DELETE SET NULL, ADD FOREIGN KEY (platznr) REFERENCES platz, ADD FOREIGN KEY (fachnr) REFERENCES fach,
  ADD FOREIGN KEY (eh) REFERENCES einheit (eh) ON UPDATE CASCADE, ADD FOREIGN KEY (waehr) REFERENCES waehrung (wkz) ON UPDATE CASCADE,
  ADD CONSTRAINT "AG-010: the quantity issued must be above zero" CHECK (menge > 0);
ALTER TABLE lagerbeleg ADD FOREIGN KEY (projnr) REFERENCES projekt;
ALTER TABLE ausgabe ADD FOREIGN KEY (anlnr) REFERENCES anlage;
ALTER TABLE artikel ADD FOREIGN KEY (vk_stnr) REFERENCES steuer, ADD FOREIGN KEY (ek_stnr) REFERENCES steuer,
  ADD FOREIGN KEY (bildnr) REFERENCES anhang ON DELETE SET NULL;
CREATE INDEX bestand_ort ON bestand (artid, platznr);
CREATE INDEX bezug_artid ON bezug (artid);
CREATE INDEX bewegung_beleg ON bewegung (lbnr);
CREATE INDEX bewegung_zeichen ON bewegung (zeichen);
CREATE INDEX bewegung_zeit ON bewegung (zeit);
