-- Interfaces.

CREATE VIEW budgetpos_mit_waehrung AS SELECT p.*, b.waehr FROM budgetpos p JOIN budget b USING (budnr);
