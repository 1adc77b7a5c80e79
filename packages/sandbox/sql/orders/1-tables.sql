-- Documents of the sandbox company: work orders and purchase orders.

CREATE TABLE auftrag (
  aufid bigint PRIMARY KEY DEFAULT nextval('nk_auftrag'), aufnr varchar(64), kurztext varchar(255) NOT NULL, langtext text, anweisung text,
  status varchar(2) NOT NULL DEFAULT '00', prio char(1), prio_text varchar(64), art varchar(32), ober_auf bigint, werknr bigint, platznr bigint, lager bigint,
  mand char(3), kst varchar(64), konto bigint, kdnr bigint, melder bigint, freigeber bigint, meister bigint, monteur bigint, team varchar(32),
  liefnr bigint, problem varchar(32), schaden varchar(32), ursache varchar(32), abhilfe varchar(32), kz_stillstand char(1), stillstand_min integer,
  kz_unterschrift char(1), soll_min integer, ist_min integer, soll_kosten varchar(20), lohn_ct bigint, mat_ct bigint, fremd_ct bigint,
  summe_ct bigint GENERATED ALWAYS AS (coalesce(lohn_ct, 0) + coalesce(mat_ct, 0) + coalesce(fremd_ct, 0)) STORED, waehr varchar(64),
  gemeldet varchar(14), plan_von varchar(14), plan_bis varchar(14), faellig varchar(14), freigabe_am timestamptz, beginn timestamptz, ende timestamptz,
  abschluss timestamptz, storno_am timestamptz, halt_am timestamptz, weiter_am timestamptz, halt_grund varchar(32), storno_grund varchar(32),
  rueckgabe_grund varchar(32), status_am timestamptz, statustext text, rueckmeldung text, schicht varchar(8), helfer integer, abnahme_am timestamptz,
  bem text, erfasst varchar(14),
  changed_at timestamptz NOT NULL DEFAULT now());

-- History of an order, written by a trigger.
CREATE TABLE auftrag_hist (
  aufid bigint NOT NULL, lfd bigint GENERATED ALWAYS AS IDENTITY, von varchar(2), nach varchar(2) NOT NULL, text text, zeit timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (aufid, lfd));

CREATE TABLE bestkopf (
  bestnr bigint PRIMARY KEY DEFAULT nextval('nk_bestellung'), belegnr varchar(64), titel varchar(255), beschr text, liefnr bigint NOT NULL,
  status char(1) NOT NULL DEFAULT 'E', mand char(3), kst varchar(64), werknr bigint, einkaeufer bigint, anforderer bigint, freigeber bigint, kdnr bigint,
  waehr varchar(64), kurs numeric(18, 6), bestdat varchar(10), wunschdat varchar(10), liefdat varchar(10), lieferplatz bigint, aufid bigint, konto bigint,
  schluessel text, zahlbed text, lieferbed varchar(64), versandart varchar(255), spediteur varchar(255), la_name varchar(255), la_strasse varchar(255),
  la_plz varchar(32), la_ort varchar(255), la_lkz varchar(2), re_name varchar(255), re_strasse varchar(255), re_plz varchar(32), re_ort varchar(255),
  re_lkz varchar(2), rabatt_proz numeric(7, 3), rabatt_ct bigint, fracht_ct bigint, kz_brutto char(1),
  netto_ct bigint, pos_ust_ct bigint, ust_ct bigint GENERATED ALWAYS AS (restust(pos_ust_ct, netto_ct, nachlass(netto_ct, rabatt_proz, rabatt_ct))) STORED,
  brutto_ct bigint GENERATED ALWAYS AS (coalesce(netto_ct, 0) - nachlass(netto_ct, rabatt_proz, rabatt_ct) + coalesce(fracht_ct, 0) + CASE kz_brutto
    WHEN 'J' THEN 0 ELSE restust(pos_ust_ct, netto_ct, nachlass(netto_ct, rabatt_proz, rabatt_ct)) END) STORED,
  mg_proz numeric(5, 1), re_proz numeric(5, 1), freigabe_am timestamptz, erledigt_am timestamptz, abschluss_am timestamptz, grund varchar(32),
  statustext text, zeichen varchar(255), kopftext text, bem text, angelegt varchar(8), changed_at timestamptz NOT NULL DEFAULT now());

CREATE TABLE bestpos (
  bestnr bigint NOT NULL, posnr integer NOT NULL, typ char(1) NOT NULL DEFAULT 'A', artid bigint, text text, lief_artnr varchar(128),
  menge numeric(15, 3) NOT NULL, eh varchar(64), preis numeric(15, 4), rabatt_proz numeric(7, 3), rabatt_betrag numeric(15, 2),
  netto numeric(15, 2) GENERATED ALWAYS AS (positionswert(menge, preis, rabatt_proz, rabatt_betrag)) STORED,
  ust numeric(15, 2), status char(1) NOT NULL DEFAULT 'O', mg_wareneingang numeric(15, 3) NOT NULL DEFAULT 0, mg_abgelehnt numeric(15, 3) NOT NULL DEFAULT 0,
  mg_rechnung numeric(15, 3) NOT NULL DEFAULT 0, mg_retour numeric(15, 3) NOT NULL DEFAULT 0, wunschdat varchar(10), zusagedat varchar(10), lieferplatz bigint,
  aufid bigint, konto bigint, kst varchar(64), schluessel text, bem text, zeugnis varchar(8), muster integer, geprueft_am date, angelegt varchar(8),
  changed_at timestamptz NOT NULL DEFAULT now(), PRIMARY KEY (bestnr, posnr));

-- Writes of interfaces. The primary key refuses a repeated write.
CREATE TABLE interface_journal (
  write_id varchar(64) PRIMARY KEY, object varchar(64) NOT NULL, object_key varchar(100) NOT NULL, written_at timestamptz NOT NULL DEFAULT now());
