-- Interfaces of billing: views to read.

CREATE VIEW rechpos_mit_waehrung AS SELECT p.*, k.waehr FROM rechpos p JOIN rechkopf k USING (rechnr);

-- An invoice is as old as the oldest of its open items; a draft has none. preise_ct includes the tax if prices include it.
CREATE VIEW rechkopf_mit_ausgleich AS
SELECT k.*, k.netto_ct + CASE k.kz_brutto WHEN 'J' THEN k.pos_ust_ct ELSE 0 END AS preise_ct, (SELECT max(altersklasse(o.faelldat, abs(o.offen_ct))) FROM offener_posten o WHERE o.rechnr = k.rechnr) AS alter_klasse, (
  SELECT coalesce(jsonb_agg(jsonb_build_object('art', a.art, 'beleg', coalesce(z.belegnr, g.belegnr), 'betrag_ct', a.betrag_ct, 'am', a.am) ORDER BY a.am, a.nr), '[]')
  FROM ausgleich a LEFT JOIN zahlung z ON a.art = 'Z' AND z.zahlnr = a.nr LEFT JOIN gutschrift g ON a.art = 'G' AND g.gutnr = a.nr
  WHERE a.rechnr = k.rechnr) AS ausgleiche
FROM rechkopf k;
