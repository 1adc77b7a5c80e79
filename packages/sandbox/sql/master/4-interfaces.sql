-- Interfaces: partners with the numbers of their vendor and customer records, and the addresses and contacts of both.

CREATE VIEW gp_mit_rollen AS SELECT g.*, l.liefnr, k.kdnr FROM gp g LEFT JOIN lief l ON l.gpnr = g.gpnr AND l.geloescht IS NULL LEFT JOIN kunde k ON k.gpnr = g.gpnr;

CREATE VIEW gp_adressen AS
  SELECT l.gpnr, a.adrnr FROM lief l JOIN adresse a ON a.bezug_art = 'L' AND a.bezug = l.liefnr
  UNION ALL SELECT k.gpnr, a.adrnr FROM kunde k JOIN adresse a ON a.bezug_art = 'K' AND a.bezug = k.kdnr;

CREATE VIEW gp_kontakte AS
  SELECT l.gpnr, p.kontnr FROM lief l JOIN kontakt p ON p.firma_art = 'L' AND p.firma = l.liefnr
  UNION ALL SELECT k.gpnr, p.kontnr FROM kunde k JOIN kontakt p ON p.firma_art = 'K' AND p.firma = k.kdnr;
