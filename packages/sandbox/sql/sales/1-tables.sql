-- Sales: opportunities, quotes, sales orders, deliveries, picking, returns.

CREATE SEQUENCE nk_sales START 790001;

CREATE TABLE chance (
  channr bigint PRIMARY KEY DEFAULT nextval('nk_sales'), kennung varchar(64), bez varchar(255) NOT NULL, beschr text, kdnr bigint, kontnr bigint,
  stufe varchar(32), status char(1) NOT NULL DEFAULT 'O', wert varchar(20), waehr varchar(64), wahrsch numeric(6, 3), entscheid varchar(10),
  erledigt timestamptz, betreuer bigint, herkunft varchar(255), verlust varchar(32), bem text, angelegt varchar(8),
  changed_at timestamptz NOT NULL DEFAULT now());

-- Quotes: art is V for the company's own and E for those requested from vendors.
CREATE TABLE angkopf (
  angnr bigint PRIMARY KEY DEFAULT nextval('nk_sales'), belegnr varchar(64), beschr text, art char(1), kdnr bigint, liefnr bigint, kontnr bigint, channr bigint,
  anfnr bigint, projnr bigint, status char(1) NOT NULL DEFAULT 'E', angdat varchar(8), gueltig varchar(8), waehr varchar(64), kurs numeric(18, 6), zbnr bigint, zahlbed text,
  betreuer bigint, konto bigint, kst varchar(64), schluessel text, re_name varchar(255), re_strasse varchar(255), re_zusatz varchar(255), re_plz varchar(32),
  re_ort varchar(255), re_lkz varchar(2), li_name varchar(255), li_strasse varchar(255), li_zusatz varchar(255), li_plz varchar(32), li_ort varchar(255),
  li_lkz varchar(2), rabatt_proz numeric(7, 3), rabatt_ct bigint, kz_brutto char(1), netto_ct bigint, pos_ust_ct bigint,
  ust_ct bigint GENERATED ALWAYS AS (restust(pos_ust_ct, netto_ct, nachlass(netto_ct, rabatt_proz, rabatt_ct))) STORED,
  summe_ct bigint GENERATED ALWAYS AS (coalesce(netto_ct, 0) - nachlass(netto_ct, rabatt_proz, rabatt_ct) + CASE kz_brutto WHEN 'J' THEN 0
    ELSE restust(pos_ust_ct, netto_ct, nachlass(netto_ct, rabatt_proz, rabatt_ct)) END) STORED,
  kdtext text, bem text, vorgelegt timestamptz, grund varchar(32), statustext text, vknr bigint, rechnr bigint, angelegt varchar(8),
  changed_at timestamptz NOT NULL DEFAULT now());

CREATE TABLE angpos (
  angnr bigint NOT NULL, posnr integer NOT NULL, typ char(1) NOT NULL DEFAULT 'A', artid bigint, text text, menge numeric(15, 3) NOT NULL, eh varchar(64),
  preis numeric(15, 4), rabatt_proz numeric(7, 3), rabatt_betrag numeric(15, 2),
  netto numeric(15, 2) GENERATED ALWAYS AS (positionswert(menge, preis, rabatt_proz, rabatt_betrag)) STORED,
  stnr bigint, ust numeric(15, 2), leistdat varchar(10), konto bigint, kst varchar(64), projnr bigint, schluessel text, angelegt varchar(8),
  changed_at timestamptz NOT NULL DEFAULT now(), PRIMARY KEY (angnr, posnr));

CREATE TABLE vkkopf (
  vknr bigint PRIMARY KEY DEFAULT nextval('nk_sales'), belegnr varchar(64), beschr text, kdnr bigint NOT NULL, kontnr bigint, betreuer bigint, mand char(3),
  werknr bigint, status varchar(2) NOT NULL DEFAULT '10', zahl_status char(1) NOT NULL DEFAULT 'O', vers_status char(1) NOT NULL DEFAULT 'O',
  bestdat varchar(10), wunschdat varchar(8), zusagedat varchar(8), freigabe timestamptz, versandt timestamptz, abschluss timestamptz, waehr varchar(64),
  kurs numeric(18, 6), zbnr bigint, zahlart varchar(64), versandart varchar(255), re_name varchar(255), re_strasse varchar(255), re_zusatz varchar(255),
  re_plz varchar(32), re_ort varchar(255), re_lkz varchar(2), li_name varchar(255), li_strasse varchar(255), li_zusatz varchar(255), li_plz varchar(32),
  li_ort varchar(255), li_lkz varchar(2), rabatt_proz numeric(7, 3), rabatt_ct bigint, fracht_ct bigint, kz_brutto char(1), netto_ct bigint,
  pos_rabatt_ct bigint, pos_ust_ct bigint,
  rabatte_ct bigint GENERATED ALWAYS AS (coalesce(pos_rabatt_ct, 0) + nachlass(netto_ct, rabatt_proz, rabatt_ct)) STORED,
  ust_ct bigint GENERATED ALWAYS AS (restust(pos_ust_ct, netto_ct, nachlass(netto_ct, rabatt_proz, rabatt_ct))) STORED,
  summe_ct bigint GENERATED ALWAYS AS (coalesce(netto_ct, 0) - nachlass(netto_ct, rabatt_proz, rabatt_ct) + coalesce(fracht_ct, 0) + CASE kz_brutto WHEN 'J' THEN 0
    ELSE restust(pos_ust_ct, netto_ct, nachlass(netto_ct, rabatt_proz, rabatt_ct)) END) STORED,
  erstattet_ct bigint, angnr bigint, kd_bestnr varchar(255), konto bigint, kst varchar(64), projnr bigint, schluessel text, bem text, grund varchar(32),
  statustext text, angelegt varchar(8), changed_at timestamptz NOT NULL DEFAULT now());

CREATE TABLE vkpos (
  vknr bigint NOT NULL, posnr integer NOT NULL, typ char(1) NOT NULL DEFAULT 'A', artid bigint, variante varchar(128), text text, menge numeric(15, 3) NOT NULL,
  eh varchar(64), preis numeric(15, 4), rabatt_proz numeric(7, 3), rabatt_betrag numeric(15, 2),
  netto numeric(15, 2) GENERATED ALWAYS AS (positionswert(menge, preis, rabatt_proz, rabatt_betrag)) STORED,
  stnr bigint, ust numeric(15, 2), platznr bigint, mg_versand numeric(15, 3) NOT NULL DEFAULT 0, mg_rechnung numeric(15, 3) NOT NULL DEFAULT 0,
  mg_retour numeric(15, 3) NOT NULL DEFAULT 0, mg_rueckstand numeric(15, 3) NOT NULL DEFAULT 0, zusagedat varchar(8), konto bigint, kst varchar(64),
  projnr bigint, schluessel text, angelegt varchar(8), changed_at timestamptz NOT NULL DEFAULT now(), PRIMARY KEY (vknr, posnr));

-- Deliveries: out to customers (A), in from vendors (E), between locations (U).
CREATE TABLE lieferung (
  lfnr bigint PRIMARY KEY DEFAULT nextval('nk_sales'), belegnr varchar(64), beschr text, richtung char(1), vknr bigint, bestnr bigint, lbnr bigint, kdnr bigint,
  liefnr bigint, von_platz bigint, nach_platz bigint, zi_name varchar(255), zi_strasse varchar(255), zi_zusatz varchar(255), zi_plz varchar(32),
  zi_ort varchar(255), zi_lkz varchar(2), frachtf varchar(255), frachtart varchar(255), versandart varchar(255), sendnr varchar(255), send_url varchar(2000),
  status char(1) NOT NULL DEFAULT 'E', versandt varchar(14), erwartet varchar(14), zugestellt timestamptz, empfaenger varchar(255), pakete integer,
  gewicht varchar(20), gew_eh varchar(64), fracht_ct bigint, waehr varchar(64), packer bigint, bem text, statustext text, angelegt varchar(8),
  changed_at timestamptz NOT NULL DEFAULT now());

-- vkpos is the position of the sales order in the format of the interfaces: number/position.
CREATE TABLE lieferpos (
  lfnr bigint NOT NULL, posnr integer NOT NULL, vkpos varchar(40), artid bigint NOT NULL, text text, menge numeric(15, 3) NOT NULL, eh varchar(64),
  charge varchar(128), seriennr jsonb NOT NULL DEFAULT '[]', paket varchar(128), angelegt varchar(8), changed_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (lfnr, posnr));

CREATE TABLE komm (
  kommnr bigint PRIMARY KEY DEFAULT nextval('nk_sales'), belegnr varchar(64), titel varchar(255), beschr text, vknr bigint, lbnr bigint, kdnr bigint,
  liefnr bigint, werknr bigint, status char(1) NOT NULL DEFAULT 'O', kommdat varchar(10) NOT NULL, li_name varchar(255), li_strasse varchar(255),
  li_zusatz varchar(255), li_plz varchar(32), li_ort varchar(255), li_lkz varchar(2), erledigt timestamptz, positionen jsonb NOT NULL DEFAULT '[]', bem text,
  angelegt varchar(8), changed_at timestamptz NOT NULL DEFAULT now());

-- Returns: to vendors (L), from customers (K).
CREATE TABLE retoure (
  retnr bigint PRIMARY KEY DEFAULT nextval('nk_sales'), belegnr varchar(64), beschr text, art char(1) NOT NULL, kdnr bigint, liefnr bigint, vknr bigint,
  bestnr bigint, grund varchar(32), status char(1) NOT NULL DEFAULT 'E', retdat varchar(10), faellig varchar(8), freigabe timestamptz, erledigt timestamptz,
  versandart varchar(255), waehr varchar(64), netto_ct bigint, ust_ct bigint,
  summe_ct bigint GENERATED ALWAYS AS (coalesce(netto_ct, 0) + coalesce(ust_ct, 0)) STORED, gutnr bigint, bem text, angelegt varchar(8),
  changed_at timestamptz NOT NULL DEFAULT now());

-- bezug_art is the kind of bezug_pos: a position of a sales order (V) or of a purchase order (B).
CREATE TABLE retpos (
  retnr bigint NOT NULL, posnr integer NOT NULL, bezug_art char(1), bezug_pos varchar(40), artid bigint NOT NULL, text text, menge numeric(15, 3) NOT NULL,
  mg_eingang numeric(15, 3) NOT NULL DEFAULT 0, eh varchar(64), preis numeric(15, 4),
  netto numeric(15, 2) GENERATED ALWAYS AS (positionswert(menge, preis)) STORED, grund varchar(32), zustand varchar(255), verwendung char(1),
  charge varchar(128), seriennr jsonb NOT NULL DEFAULT '[]', angelegt varchar(8), changed_at timestamptz NOT NULL DEFAULT now(), PRIMARY KEY (retnr, posnr));

-- Purchase orders for goods of a sales order.
ALTER TABLE bestkopf ADD COLUMN vknr bigint;
