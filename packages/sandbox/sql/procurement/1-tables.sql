-- Purchasing before and after the order: requisitions, requests for quotation, receipts; contracts and projects.

CREATE SEQUENCE nk_procurement START 700001;

-- einkauf_ct: total of the purchase orders of the project, updated by a trigger.
CREATE TABLE projekt (
  projnr bigint PRIMARY KEY DEFAULT nextval('nk_procurement'), projkz varchar(64), bez varchar(255) NOT NULL, beschr text, status varchar(2) NOT NULL DEFAULT '10',
  kdnr bigint, leiter bigint, ober_proj bigint, mand char(3), kst varchar(64), werknr bigint, beginn varchar(10), ende varchar(10), fertig_am timestamptz,
  budget varchar(20), einkauf_ct bigint NOT NULL DEFAULT 0, lohn_ct bigint NOT NULL DEFAULT 0,
  ist_ct bigint GENERATED ALWAYS AS (einkauf_ct + lohn_ct) STORED, soll_std varchar(20), ist_std varchar(20), abrart char(1), kz_weiter char(1),
  fertig_proz numeric(5, 1), waehr varchar(64), konto bigint, schluessel text, bem text, angelegt varchar(8), changed_at timestamptz NOT NULL DEFAULT now());

-- partei_art is the kind of partei: L(ief) K(unde). anlagen and anhaenge are lists of numbers.
CREATE TABLE vertrag (
  vtrnr bigint PRIMARY KEY DEFAULT nextval('nk_procurement'), vtrkz varchar(64), bez varchar(255) NOT NULL, beschr text, art char(1),
  status char(1) NOT NULL DEFAULT 'E', partei_art char(1) NOT NULL, partei bigint NOT NULL, mand char(3), beginn varchar(8) NOT NULL, ende varchar(8),
  verlaengerung varchar(8), frist_tage integer, kz_auto char(1), unterschr_am varchar(14), unterschr_von varchar(255), wert varchar(20), waehr varchar(64),
  zbnr bigint, bedingungen text, erfuellung char(1), betreuer bigint, anlagen text, anhaenge text, bem text, angelegt varchar(8),
  changed_at timestamptz NOT NULL DEFAULT now());

CREATE TABLE banf (
  banfnr bigint PRIMARY KEY DEFAULT nextval('nk_procurement'), belegnr varchar(64), titel varchar(255), beschr text, status char(1) NOT NULL DEFAULT 'E',
  anforderer bigint NOT NULL, freigeber bigint, mand char(3), kst varchar(64), werknr bigint, lieferplatz bigint, liefnr bigint, bedarf varchar(10), prio char(1),
  versandart varchar(255), la_name varchar(255), la_strasse varchar(255), la_plz varchar(32), la_ort varchar(255), la_lkz varchar(2), waehr varchar(64),
  netto_ct bigint, ust_ct bigint, brutto_ct bigint GENERATED ALWAYS AS (coalesce(netto_ct, 0) + coalesce(ust_ct, 0)) STORED, aufid bigint, projnr bigint,
  konto bigint, schluessel text, begr text, vorgelegt_am timestamptz, freigabe_am timestamptz, abgelehnt_am timestamptz, abl_grund varchar(32),
  storno_grund varchar(32), statustext text, bem text, angelegt varchar(8), changed_at timestamptz NOT NULL DEFAULT now());

CREATE TABLE banfpos (
  banfnr bigint NOT NULL, posnr integer NOT NULL, artid bigint, text text, menge numeric(15, 3) NOT NULL, eh varchar(64), preis numeric(15, 4),
  netto numeric(15, 2) GENERATED ALWAYS AS (positionswert(menge, preis)) STORED, bedarf varchar(10), liefnr bigint, lieferplatz bigint,
  herst_nr varchar(128), mg_bestellt numeric(15, 3) NOT NULL DEFAULT 0, mg_eingang numeric(15, 3) NOT NULL DEFAULT 0, aufid bigint, vknr bigint, konto bigint,
  kst varchar(64), projnr bigint, schluessel text, angelegt varchar(8), changed_at timestamptz NOT NULL DEFAULT now(), PRIMARY KEY (banfnr, posnr));

-- Positions are kept as a list in the row: nothing refers to them. lieferanten is a list of numbers.
CREATE TABLE anfrage (
  anfnr bigint PRIMARY KEY DEFAULT nextval('nk_procurement'), belegnr varchar(64), titel varchar(255), beschr text, status char(1) NOT NULL DEFAULT 'E',
  lieferanten text NOT NULL, mand char(3), werknr bigint, banfnr bigint, projnr bigint, einkaeufer bigint, waehr varchar(64), anfdat varchar(8), frist varchar(8),
  versandart varchar(255), la_name varchar(255), la_strasse varchar(255), la_plz varchar(32), la_ort varchar(255), la_lkz varchar(2),
  positionen jsonb NOT NULL DEFAULT '[]', angebote jsonb NOT NULL DEFAULT '[]', netto_ct bigint, ust_ct bigint,
  brutto_ct bigint GENERATED ALWAYS AS (coalesce(netto_ct, 0) + coalesce(ust_ct, 0)) STORED, bem text, angelegt varchar(8),
  changed_at timestamptz NOT NULL DEFAULT now());

CREATE TABLE wekopf (
  wenr bigint PRIMARY KEY DEFAULT nextval('nk_procurement'), belegnr varchar(64), beschr text, status char(1) NOT NULL DEFAULT 'B', liefnr bigint NOT NULL,
  bestnr bigint, mand char(3), platznr bigint, annehmer bigint, zeit varchar(14) NOT NULL, ls_nr varchar(64), spediteur varchar(255), sendung varchar(128),
  kz_retour char(1), waehr varchar(64), netto_ct bigint, ust_ct bigint,
  brutto_ct bigint GENERATED ALWAYS AS (coalesce(netto_ct, 0) + coalesce(ust_ct, 0)) STORED, bem text, angelegt varchar(8),
  changed_at timestamptz NOT NULL DEFAULT now());

-- best_pos is the position of the order, as in 4500001001/1.
CREATE TABLE wepos (
  wenr bigint NOT NULL, posnr integer NOT NULL, best_pos varchar(40), best_nr bigint GENERATED ALWAYS AS (beleg_aus(best_pos)) STORED,
  best_pnr integer GENERATED ALWAYS AS (posnr_aus(best_pos)) STORED, artid bigint, text text, menge numeric(15, 3) NOT NULL,
  mg_gut numeric(15, 3), mg_abgelehnt numeric(15, 3), eh varchar(64), preis numeric(15, 4),
  netto numeric(15, 2) GENERATED ALWAYS AS (positionswert(menge, preis)) STORED, platznr bigint, fachnr bigint, sperrplatz bigint,
  charge varchar(128), seriennr jsonb NOT NULL DEFAULT '[]', haltbar varchar(8), pruefung varchar(64), anlnr bigint, bem text, angelegt varchar(8),
  changed_at timestamptz NOT NULL DEFAULT now(), PRIMARY KEY (wenr, posnr));

-- Columns added later to orders, vendors and customers.
ALTER TABLE bestkopf ADD COLUMN kontnr bigint, ADD COLUMN zbnr bigint, ADD COLUMN vtrnr bigint, ADD COLUMN banfnr bigint, ADD COLUMN anfnr bigint,
  ADD COLUMN projnr bigint;
ALTER TABLE bestpos ADD COLUMN stnr bigint, ADD COLUMN anlnr bigint, ADD COLUMN projnr bigint, ADD COLUMN banf_pos varchar(40),
  ADD COLUMN banf_nr bigint GENERATED ALWAYS AS (beleg_aus(banf_pos)) STORED,
  ADD COLUMN banf_pnr integer GENERATED ALWAYS AS (posnr_aus(banf_pos)) STORED;
ALTER TABLE lief ADD COLUMN zbnr bigint, ADD COLUMN zahlart varchar(64), ADD COLUMN stnr bigint;
ALTER TABLE kunde ADD COLUMN zbnr bigint, ADD COLUMN zahlart varchar(64), ADD COLUMN stnr bigint;
