-- Interfaces: employees with the number of their account, files without their bytes.

CREATE VIEW personal_mit_konto AS SELECT p.*, b.bennr FROM personal p LEFT JOIN benutzer b USING (persnr);
CREATE VIEW anhang_kopf AS
  SELECT anhnr, kz, name, beschr, bezug_art, bezug, coalesce(ziel, bezug::text) AS ziel, mime, art, bytes, pruefsumme, pfad, vorschau, kz_verborgen, bennr, angelegt, changed_at FROM anhang;
