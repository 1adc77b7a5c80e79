-- Tables of the sandbox company: an ERP that has grown since the nineties. Numbers come from number ranges, flags are
-- J/N, many dates are text, amounts are sometimes in cents. changed_at was added to every table for the data warehouse.

CREATE SEQUENCE nk_stamm START 900000;    -- number range of all master data
CREATE SEQUENCE nk_auftrag START 400030001;
CREATE SEQUENCE nk_bestellung START 4500010000;

CREATE TABLE waehrung (
  wnr bigint PRIMARY KEY DEFAULT nextval('nk_stamm'), wkz varchar(64) NOT NULL, iso varchar(3), bez varchar(255) NOT NULL,
  beschr text, symbol varchar(8), nachkomma integer, basis char(1) NOT NULL DEFAULT 'N', aktiv char(1) NOT NULL DEFAULT 'J',
  angelegt varchar(8), changed_at timestamptz NOT NULL DEFAULT now());

CREATE TABLE land (
  landnr bigint PRIMARY KEY DEFAULT nextval('nk_stamm'), lkz varchar(64) NOT NULL, iso2 varchar(2), iso3 varchar(3), isonum varchar(3),
  bez varchar(255) NOT NULL, beschr text, vorwahl varchar(8), waehr varchar(64), region varchar(64), aktiv char(1) NOT NULL DEFAULT 'J',
  angelegt varchar(8), changed_at timestamptz NOT NULL DEFAULT now());

CREATE TABLE sprache (
  spr char(3) PRIMARY KEY, spr2 char(2), bez varchar(255) NOT NULL, bez_eigen varchar(255), beschr text, locale varchar(12), familie varchar(255),
  zweig varchar(255), schrift varchar(255), rechts_links char(1) NOT NULL DEFAULT 'N', laender text NOT NULL DEFAULT '',
  aktiv char(1) NOT NULL DEFAULT 'J', angelegt varchar(8), changed_at timestamptz NOT NULL DEFAULT now());

CREATE TABLE ort (
  ortnr bigint PRIMARY KEY DEFAULT nextval('nk_stamm'), kz varchar(64), bez varchar(255) NOT NULL, beschr text, iso varchar(16), plz text, zeitzone varchar(64),
  ueber bigint, lkz varchar(64), aktiv char(1) NOT NULL DEFAULT 'J', angelegt varchar(8), changed_at timestamptz NOT NULL DEFAULT now());

CREATE TABLE einheit (
  ehnr bigint PRIMARY KEY DEFAULT nextval('nk_stamm'), eh varchar(64) NOT NULL, bez varchar(255) NOT NULL, beschr text, zeichen varchar(32) NOT NULL,
  groesse char(1), basis_eh varchar(64), zaehler numeric(18, 9), versatz numeric(18, 9), nachkomma integer,
  aktiv char(1) NOT NULL DEFAULT 'J', angelegt varchar(8), changed_at timestamptz NOT NULL DEFAULT now());

-- One table for all short lists. art is the list of an entry; wert is unique across all lists.
CREATE TABLE schluessel (
  schlnr bigint PRIMARY KEY DEFAULT nextval('nk_stamm'), art char(4) NOT NULL, wert varchar(32) NOT NULL, bez varchar(255) NOT NULL, beschr text,
  ueber varchar(32), pfad text, stufe integer, verwendung text NOT NULL DEFAULT '', sort integer, gesperrt char(1) NOT NULL DEFAULT ' ',
  angelegt varchar(8), changed_at timestamptz NOT NULL DEFAULT now());

CREATE TABLE status_def (
  bereich char(3) NOT NULL, status varchar(2) NOT NULL, bez varchar(255) NOT NULL, beschr text, gruppe varchar(20) NOT NULL, sort integer,
  anfang char(1) NOT NULL DEFAULT 'N', ende char(1) NOT NULL DEFAULT 'N', angelegt varchar(8), changed_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (bereich, status));

CREATE TABLE gjkal (
  kalnr bigint PRIMARY KEY DEFAULT nextval('nk_stamm'), kalkz varchar(64), bez varchar(255) NOT NULL, beschr text, mand char(3), kst varchar(64), leiter bigint,
  perioden integer, sonderper integer, platznr bigint, angelegt varchar(8), changed_at timestamptz NOT NULL DEFAULT now());

CREATE TABLE mandant (
  mandnr bigint PRIMARY KEY DEFAULT nextval('nk_stamm'), mand char(3) NOT NULL, bez varchar(255) NOT NULL, firma varchar(255), beschr text, waehr varchar(64), ueber char(3), ust_id varchar(64), hrb varchar(64),
  kalkz varchar(64), strasse varchar(255), plz varchar(32), ort varchar(255), lkz varchar(2), tel varchar(64), mail varchar(255), www varchar(500),
  gj_ende char(4), aktiv char(1) NOT NULL DEFAULT 'J', angelegt varchar(8), changed_at timestamptz NOT NULL DEFAULT now());

CREATE TABLE abteilung (
  kst varchar(64) PRIMARY KEY, bez varchar(255) NOT NULL, beschr text, mand char(3), ueber_kst varchar(64), leiter bigint, waehr varchar(64),
  gesperrt char(1) NOT NULL DEFAULT ' ', angelegt varchar(8), changed_at timestamptz NOT NULL DEFAULT now());

CREATE TABLE personal (
  persnr bigint PRIMARY KEY DEFAULT nextval('nk_stamm'), kuerzel varchar(64), rufname varchar(255) NOT NULL, vorname varchar(255), nachname varchar(255),
  zweitname varchar(255), titel varchar(64), zusatz varchar(64), beschr text, geb_dat varchar(8), ausweis varchar(64), pass varchar(64),
  lohnnr varchar(64), mail varchar(255), tel varchar(64), stelle varchar(255), kz_status char(1), kz_extern char(1),
  eintritt varchar(10), austritt varchar(10), lkz varchar(64), spr char(3), mand char(3), kst varchar(64), vorges bigint, platznr bigint,
  waehr varchar(64), std_ct bigint, monat_ct bigint, jahr_ct bigint, angelegt varchar(8), changed_at timestamptz NOT NULL DEFAULT now());

CREATE TABLE werk (
  werknr bigint PRIMARY KEY DEFAULT nextval('nk_stamm'), kz varchar(64), bez varchar(255), beschr text, mand char(3), kdnr bigint,
  strasse varchar(255), zusatz varchar(255), plz varchar(32), ort varchar(255), bundesland varchar(255), lkz varchar(2),
  re_name varchar(255), re_strasse varchar(255), re_plz varchar(32), re_ort varchar(255), re_lkz varchar(2),
  breite varchar(12), laenge varchar(12), zeitzone varchar(64), bem text, aktiv char(1) NOT NULL DEFAULT 'J',
  angelegt varchar(8), changed_at timestamptz NOT NULL DEFAULT now());

CREATE TABLE platz (
  platznr bigint PRIMARY KEY DEFAULT nextval('nk_stamm'), kz varchar(64), bez varchar(255) NOT NULL, beschr text, typ varchar(64), werknr bigint, mand char(3),
  ueber bigint, leiter bigint, team varchar(32), strasse varchar(255), plz varchar(32), ort varchar(255), lkz varchar(2),
  breite varchar(12), laenge varchar(12), strichcode varchar(255), vorgabe char(1), gesperrt char(1) NOT NULL DEFAULT ' ',
  angelegt varchar(8), changed_at timestamptz NOT NULL DEFAULT now());

CREATE TABLE konto (
  kontoid bigint PRIMARY KEY DEFAULT nextval('nk_stamm'), ktonr varchar(64), bez varchar(255) NOT NULL, beschr text, klasse char(1), art varchar(4), kopf char(1),
  ueber bigint, stufe integer, pfad text, mand char(3), kst varchar(64), leiter bigint, platznr bigint, waehr varchar(64),
  limit_betrag varchar(20), eb_saldo varchar(20), gueltig_ab varchar(8), gueltig_bis varchar(8),
  abgestimmt varchar(14), gesperrt char(1) NOT NULL DEFAULT ' ', angelegt varchar(8), changed_at timestamptz NOT NULL DEFAULT now());

-- Business partners, since 2016: a firm with the number of its records as a vendor and as a customer, which are older.
CREATE TABLE gp (
  gpnr bigint PRIMARY KEY DEFAULT nextval('nk_stamm'), gpkz varchar(64), name1 varchar(255) NOT NULL, firma varchar(255), beschr text, waehr varchar(64),
  konzern bigint, kz_lief boolean NOT NULL DEFAULT false, kz_kunde boolean NOT NULL DEFAULT false, kz_gesperrt char(1) NOT NULL DEFAULT 'N',
  seit varchar(10), bis varchar(10), ust_id varchar(64), mail varchar(255), tel varchar(64), www varchar(500), bem text,
  angelegt varchar(8), changed_at timestamptz NOT NULL DEFAULT now());

CREATE TABLE lief (
  liefnr bigint PRIMARY KEY DEFAULT nextval('nk_stamm'), gpnr bigint NOT NULL, suchbegr varchar(64), name1 varchar(255) NOT NULL, firma varchar(255), beschr text, waehr varchar(64),
  kreditor varchar(64), gruppe varchar(32), mand char(3), kz_gesperrt char(1) NOT NULL DEFAULT 'N', seit varchar(10), bis varchar(10), zahlbed text,
  ust_id varchar(64), mail varchar(255), tel varchar(64), www varchar(500), liefertage integer, mindest_ct bigint, note numeric(3, 1), bem text,
  guete char(1), audit_am date, rahmen_eur numeric(12, 2), kz_rahmen boolean, geloescht timestamptz, angelegt varchar(8), changed_at timestamptz NOT NULL DEFAULT now());

CREATE TABLE kunde (
  kdnr bigint PRIMARY KEY DEFAULT nextval('nk_stamm'), gpnr bigint NOT NULL, suchbegr varchar(64), name1 varchar(255) NOT NULL, firma varchar(255), beschr text, waehr varchar(64),
  debitor varchar(64), konzern bigint, gruppe varchar(32), betreuer bigint, mand char(3), kz_gesperrt char(1) NOT NULL DEFAULT 'N',
  kz_ust char(1), kz_privat char(1), seit varchar(10), bis varchar(10), ust_id varchar(64), kreditlimit varchar(20), mail varchar(255), tel varchar(64),
  www varchar(500), re_name varchar(255), re_strasse varchar(255), re_plz varchar(32), re_ort varchar(255), re_lkz varchar(2),
  li_name varchar(255), li_strasse varchar(255), li_plz varchar(32), li_ort varchar(255), li_lkz varchar(2), bem text,
  angelegt varchar(8), changed_at timestamptz NOT NULL DEFAULT now());

-- bezug_art is the kind of the owner: L(ief) K(unde) M(andant) P(ersonal) W(erk).
CREATE TABLE adresse (
  adrnr bigint PRIMARY KEY DEFAULT nextval('nk_stamm'), kz varchar(64), bezug_art char(1), bezug bigint, zweck char(1) NOT NULL, beschr text,
  name varchar(255), zeile1 varchar(255), zeile2 varchar(255), zeile3 varchar(255), zeile4 varchar(255), plz varchar(32), ort varchar(255),
  kreis varchar(255), bundesland varchar(255), lkz varchar(64), ortnr bigint, breite numeric(9, 6), laenge numeric(9, 6), tel varchar(64), fax varchar(64), mail varchar(255),
  haupt char(1), aktiv char(1) NOT NULL DEFAULT 'J', bem text, angelegt varchar(8), changed_at timestamptz NOT NULL DEFAULT now());

CREATE TABLE artikel (
  artid bigint PRIMARY KEY DEFAULT nextval('nk_stamm'), artnr varchar(64), bez varchar(255) NOT NULL, beschr text, art varchar(4) NOT NULL, gruppe varchar(32),
  meins varchar(64), bestell_eh varchar(64), verkauf_eh varchar(64), mand char(3), waehr varchar(64), sku varchar(128), strichcode varchar(128), upc varchar(14),
  ean varchar(14), isbn varchar(17), teilenr varchar(128), hersteller varchar(255), hersteller_nr varchar(128), kz_baugr char(1), kz_verkauf char(1),
  kz_einkauf char(1), kz_bestand char(1), kz_ust char(1), kz_varianten char(1), chargen char(1), krit varchar(64), gesperrt char(1) NOT NULL DEFAULT ' ',
  ek_ct bigint, vk_ct bigint, std_ct bigint, gld_ct bigint, melde numeric(15, 3), bestell_mg numeric(15, 3), min_mg numeric(15, 3),
  max_mg numeric(15, 3), bestand numeric(15, 3), liefertage integer, gewicht numeric(15, 4), gew_eh varchar(64), lg numeric(12, 2), br numeric(12, 2),
  ho numeric(12, 2), mass_eh varchar(64), haltbar integer, erloes_kto varchar(64), aufwand_kto varchar(64), bestand_kto varchar(64),
  hauptlief bigint, zolltarif varchar(16), urspr_land varchar(64), gew_netto numeric(15, 4), vorlage bigint, merkmale jsonb NOT NULL DEFAULT '[]',
  lagerklasse varchar(11), kupfer_kg numeric(9, 3), kz_gefahrgut boolean, bem text, angelegt varchar(8), changed_at timestamptz NOT NULL DEFAULT now());
