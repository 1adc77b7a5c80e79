-- Warehouse of the sandbox company: bins, stock, sources and prices of items, and all movements of stock.

CREATE SEQUENCE nk_stock START 900000;

CREATE TABLE fach (
  fachnr bigint PRIMARY KEY DEFAULT nextval('nk_stock'), kz varchar(64), bez varchar(255), beschr text, platznr bigint NOT NULL, ueber bigint,
  zone varchar(64), gang varchar(64), regal varchar(64), ebene varchar(64), pos varchar(64), kapaz varchar(20), kap_eh varchar(64), reihe integer,
  kz_entnahme char(1), kz_einlag char(1), gesperrt char(1) NOT NULL DEFAULT ' ', angelegt varchar(8), changed_at timestamptz NOT NULL DEFAULT now());

-- kosten is text with a decimal comma, as in all tables of the old warehouse program. zustand: F free, Q in
-- quality inspection, S blocked, T in transit, K consignment of the vendor eignernr, which has no value in our books.
CREATE TABLE bestand (
  bestandnr bigint PRIMARY KEY DEFAULT nextval('nk_stock'), kz varchar(64), beschr text, artid bigint NOT NULL, platznr bigint NOT NULL, fachnr bigint,
  charge varchar(128), seriennr varchar(128), zustand char(1), eignernr bigint, eh varchar(64), menge numeric(15, 3) NOT NULL DEFAULT 0, mg_reserviert numeric(15, 3),
  mg_bestellt numeric(15, 3), mg_transit numeric(15, 3), mg_geplant numeric(15, 3),
  verfuegbar numeric(15, 3) GENERATED ALWAYS AS (CASE WHEN zustand IN ('Q', 'S', 'T') THEN 0 ELSE menge - coalesce(mg_reserviert, 0) END) STORED,
  prognose numeric(15, 3) GENERATED ALWAYS AS (menge + coalesce(mg_bestellt, 0) + coalesce(mg_transit, 0) + coalesce(mg_geplant, 0) - coalesce(mg_reserviert, 0)) STORED,
  min_mg numeric(15, 3), max_mg numeric(15, 3), melde numeric(15, 3), bestell_mg numeric(15, 3), kosten varchar(20),
  wert numeric(15, 2) GENERATED ALWAYS AS (CASE zustand WHEN 'K' THEN 0 ELSE round(menge * zahl_aus(kosten), 2) END) STORED, waehr varchar(64), verfall varchar(10),
  inventur_am timestamptz, bewegt_am timestamptz, angelegt varchar(8), changed_at timestamptz NOT NULL DEFAULT now());

CREATE TABLE bezug (
  bezugnr bigint PRIMARY KEY DEFAULT nextval('nk_stock'), kz varchar(64), beschr text, artid bigint NOT NULL, liefnr bigint NOT NULL, lief_artnr varchar(128),
  hersteller_nr varchar(128), eh varchar(64), inhalt numeric(15, 3), preis varchar(20), waehr varchar(64), mindest_mg numeric(15, 3), schritt_mg numeric(15, 3),
  liefertage integer, gueltig_ab varchar(10), gueltig_bis varchar(10), kz_haupt char(1), melde numeric(15, 3), letzt_ct bigint, letzt_dat varchar(10),
  angelegt varchar(8), changed_at timestamptz NOT NULL DEFAULT now());

-- art: WE receipt, WA issue, UM transfer, KO correction, IN count, KM picking, EL putting away. positionen contains the
-- lines in the format of its program.
CREATE TABLE lagerbeleg (
  lbnr bigint PRIMARY KEY DEFAULT nextval('nk_stock'), belegnr varchar(64), beschr text, art char(2) NOT NULL, status char(1) NOT NULL DEFAULT 'E',
  platz_von bigint, fach_von bigint, platz_nach bigint, fach_nach bigint, platz_transit bigint, platznr bigint, fachnr bigint, urspr_art char(1), urspr bigint, lfnr bigint, buchdat varchar(8),
  grund varchar(32), zeichen varchar(255), anforderer bigint, freigeber bigint, lagerist bigint, zaehler bigint, prio integer, welle varchar(64), plan_am varchar(14), entnommen_am varchar(14),
  eingelagert_am varchar(14), versandt_am varchar(14), erhalten_am varchar(14), gezaehlt_am varchar(14), eingefroren_am varchar(14), zaehlart char(1),
  abc varchar(16), kz_nachz char(1), kz_blind char(1), versandart varchar(255), la_name varchar(255), la_strasse varchar(255),
  la_plz varchar(32), la_ort varchar(255), la_lkz varchar(2), positionen jsonb NOT NULL DEFAULT '[]', fortschritt char(1), mg_summe numeric(15, 3), wert_ct bigint,
  waehr varchar(64), konto bigint, kst varchar(64), projnr bigint, schluessel text, gebucht_am timestamptz, storno_am timestamptz, storno_grund varchar(32),
  statustext text, bem text, angelegt varchar(8), changed_at timestamptz NOT NULL DEFAULT now());

-- The stock ledger, with every change; rows are never deleted. urspr_pos is the position of a receipt or shipment; zustand the
-- state of its goods. wert is the change of the value of the stock, which can be kept at a cost other than that of the movement.
CREATE TABLE bewegung (
  bewnr bigint PRIMARY KEY DEFAULT nextval('nk_stock'), kz varchar(64), beschr text, artid bigint NOT NULL, art char(2) NOT NULL, menge numeric(15, 3) NOT NULL,
  eh varchar(64), platznr bigint NOT NULL, fachnr bigint, platz_nach bigint, fach_nach bigint, charge varchar(128), seriennr text, kosten_ct numeric(15, 2),
  summe_ct numeric(15, 2) GENERATED ALWAYS AS (round(menge * kosten_ct)) STORED, waehr varchar(64), wert numeric(15, 2), wert_waehr varchar(64),
  zeit timestamptz NOT NULL DEFAULT now(), lbnr bigint,
  urspr_art char(1), urspr bigint, urspr_pos integer, zustand char(1), grund varchar(32), konto bigint, persnr bigint, saldo numeric(15, 3), zeichen varchar(255), bem text,
  angelegt varchar(8), changed_at timestamptz NOT NULL DEFAULT now());

CREATE TABLE ausgabe (
  ausgnr bigint PRIMARY KEY DEFAULT nextval('nk_stock'), kz varchar(64), beschr text, artid bigint NOT NULL, anlnr bigint, aufid bigint, persnr bigint,
  platznr bigint, fachnr bigint, zapf varchar(64), menge numeric(15, 3) NOT NULL, eh varchar(64), preis varchar(20),
  summe numeric(15, 2) GENERATED ALWAYS AS (round(menge * zahl_aus(preis), 2)) STORED, waehr varchar(64), zaehlerstand numeric(15, 3),
  zeit varchar(14) NOT NULL DEFAULT zeit_text(now()), zeichen varchar(255), charge varchar(128), bem text,
  angelegt varchar(8), changed_at timestamptz NOT NULL DEFAULT now());

-- Columns that the warehouse program added to the items.
ALTER TABLE artikel ADD COLUMN vk_stnr bigint, ADD COLUMN ek_stnr bigint, ADD COLUMN anlagen text, ADD COLUMN bildnr bigint,
  ADD COLUMN staffel jsonb NOT NULL DEFAULT '[]', ADD COLUMN umrechnung jsonb NOT NULL DEFAULT '[]';
