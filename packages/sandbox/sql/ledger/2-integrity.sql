-- Keys, references and checks of the ledger.

ALTER TABLE buchung ALTER COLUMN buchdat SET DEFAULT tag_text(now());
ALTER TABLE bank ADD CONSTRAINT bank_kurzbez UNIQUE (kurzbez), ADD FOREIGN KEY (lkz) REFERENCES land (lkz) ON UPDATE CASCADE;
ALTER TABLE bankkto ADD CONSTRAINT bankkto_kz UNIQUE (kz), ADD FOREIGN KEY (banknr) REFERENCES bank,
  ADD FOREIGN KEY (waehr) REFERENCES waehrung (wkz) ON UPDATE CASCADE, ADD FOREIGN KEY (konto) REFERENCES konto;
ALTER TABLE konto ADD FOREIGN KEY (bkonr) REFERENCES bankkto, ADD FOREIGN KEY (stnr) REFERENCES steuer;
ALTER TABLE budget ADD FOREIGN KEY (projnr) REFERENCES projekt;
ALTER TABLE budgetpos ADD FOREIGN KEY (projnr) REFERENCES projekt;
ALTER TABLE gjahr ADD CONSTRAINT gjahr_kz UNIQUE (kz), ADD FOREIGN KEY (kalnr) REFERENCES gjkal,
  ADD CONSTRAINT "GJ-007: a fiscal year cannot end before it begins" CHECK (bis >= von);
ALTER TABLE periode ADD CONSTRAINT periode_kz UNIQUE (kz), ADD FOREIGN KEY (gjnr) REFERENCES gjahr,
  ADD CONSTRAINT "PE-003: a period cannot end before it begins" CHECK (bis >= von);
ALTER TABLE budget ADD CONSTRAINT budget_kz UNIQUE (kz), ADD FOREIGN KEY (gjnr) REFERENCES gjahr, ADD FOREIGN KEY (mand) REFERENCES mandant (mand),
  ADD FOREIGN KEY (kst) REFERENCES abteilung, ADD FOREIGN KEY (waehr) REFERENCES waehrung (wkz) ON UPDATE CASCADE,
  ADD FOREIGN KEY (verantw) REFERENCES personal;
ALTER TABLE budgetpos ADD FOREIGN KEY (budnr) REFERENCES budget ON DELETE CASCADE, ADD FOREIGN KEY (konto) REFERENCES konto,
  ADD FOREIGN KEY (pernr) REFERENCES periode, ADD FOREIGN KEY (kst) REFERENCES abteilung,
  ADD CONSTRAINT "BG-012: the amount of a line cannot be negative" CHECK (betrag >= 0);
ALTER TABLE buchung ADD CONSTRAINT buchung_belegnr UNIQUE (belegnr), ADD FOREIGN KEY (waehr) REFERENCES waehrung (wkz) ON UPDATE CASCADE,
  ADD FOREIGN KEY (mand) REFERENCES mandant (mand), ADD FOREIGN KEY (pernr) REFERENCES periode;
ALTER TABLE kurs ADD FOREIGN KEY (waehr) REFERENCES waehrung (wkz) ON UPDATE CASCADE, ADD FOREIGN KEY (basis) REFERENCES waehrung (wkz) ON UPDATE CASCADE;
CREATE INDEX periode_von_bis ON periode (von, bis);
ALTER TABLE kontoumsatz ADD FOREIGN KEY (buchnr) REFERENCES buchung, ADD FOREIGN KEY (kontoid) REFERENCES konto;
