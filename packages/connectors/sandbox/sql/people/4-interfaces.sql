-- What interfaces read: people with the number of their account.

CREATE VIEW personal_mit_konto AS SELECT p.*, b.bennr FROM personal p LEFT JOIN benutzer b USING (persnr);
