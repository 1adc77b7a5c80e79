-- Keys, references and checks of contacts, users, comments and files.

ALTER TABLE kontakt ADD CONSTRAINT kontakt_kz UNIQUE (kz), ADD FOREIGN KEY (spr) REFERENCES sprache,
  ADD FOREIGN KEY (lkz) REFERENCES land (lkz) ON UPDATE CASCADE;
ALTER TABLE benutzer ADD CONSTRAINT benutzer_kz UNIQUE (kz), ADD CONSTRAINT benutzer_anmeldung UNIQUE (anmeldung),
  ADD FOREIGN KEY (persnr) REFERENCES personal, ADD FOREIGN KEY (mand) REFERENCES mandant (mand), ADD FOREIGN KEY (spr) REFERENCES sprache;
ALTER TABLE pruefliste ADD CONSTRAINT pruefliste_kz UNIQUE (kz), ADD FOREIGN KEY (gruppe) REFERENCES schluessel (wert);
ALTER TABLE pruefpunkt ADD FOREIGN KEY (plinr) REFERENCES pruefliste ON DELETE CASCADE, ADD FOREIGN KEY (persnr) REFERENCES personal,
  ADD FOREIGN KEY (eh) REFERENCES einheit (eh) ON UPDATE CASCADE;
ALTER TABLE notiz ADD CONSTRAINT notiz_kz UNIQUE (kz), ADD FOREIGN KEY (antwort_auf) REFERENCES notiz, ADD FOREIGN KEY (bennr) REFERENCES benutzer;
ALTER TABLE anhang ADD CONSTRAINT anhang_kz UNIQUE (kz), ADD FOREIGN KEY (bennr) REFERENCES benutzer,
  ADD CONSTRAINT "AN-012: a link needs an address" CHECK (art <> 'L' OR pfad IS NOT NULL);
ALTER TABLE benutzer ADD CONSTRAINT benutzer_persnr UNIQUE (persnr);
ALTER TABLE werk ADD FOREIGN KEY (kontnr) REFERENCES kontakt;
ALTER TABLE platz ADD FOREIGN KEY (kontnr) REFERENCES kontakt;
ALTER TABLE bestkopf ADD FOREIGN KEY (kontnr) REFERENCES kontakt;
ALTER TABLE chance ADD FOREIGN KEY (kontnr) REFERENCES kontakt;
ALTER TABLE angkopf ADD FOREIGN KEY (kontnr) REFERENCES kontakt;
ALTER TABLE vkkopf ADD FOREIGN KEY (kontnr) REFERENCES kontakt;
ALTER TABLE rechkopf ADD FOREIGN KEY (kontnr) REFERENCES kontakt;
ALTER TABLE kapazitaet ADD FOREIGN KEY (bennr) REFERENCES benutzer;
ALTER TABLE anlzuord ADD FOREIGN KEY (bennr) REFERENCES benutzer;
ALTER TABLE alarm ADD FOREIGN KEY (quittierer) REFERENCES benutzer, ADD FOREIGN KEY (schliesser) REFERENCES benutzer;
CREATE INDEX kontakt_firma ON kontakt (firma_art, firma);
CREATE INDEX notiz_bezug ON notiz (bezug_art, bezug);
CREATE INDEX anhang_bezug ON anhang (bezug_art, bezug);
