-- Contacts at vendors and customers, users, checklists, calendars, comments and files.

CREATE SEQUENCE nk_people START 5900001;

-- firma_art is the kind of firma: L(ief) K(unde) M(andant).
CREATE TABLE kontakt (
  kontnr bigint PRIMARY KEY DEFAULT nextval('nk_people'), kz varchar(64), name varchar(255) NOT NULL, beschr text, vorname varchar(255),
  zweitname varchar(255), nachname varchar(255), anrede varchar(64), zusatz varchar(64), titel varchar(64), geschl varchar(32), geb_dat varchar(8),
  stelle varchar(255), abt varchar(255), firma_art char(1), firma bigint, mail varchar(255), mails jsonb NOT NULL DEFAULT '[]', tel varchar(64),
  mobil varchar(64), telefone jsonb NOT NULL DEFAULT '[]', adressen jsonb NOT NULL DEFAULT '[]', strasse varchar(255), adrzusatz varchar(255),
  plz varchar(32), ort varchar(255), adr_land varchar(2), spr char(3), lkz varchar(64), steuernr varchar(64), haupt char(1), vorgabe char(1),
  kz_weg char(1) NOT NULL DEFAULT 'N', bem text, angelegt varchar(8), changed_at timestamptz NOT NULL DEFAULT now());

-- werke and plaetze are lists of numbers.
CREATE TABLE benutzer (
  bennr bigint PRIMARY KEY DEFAULT nextval('nk_people'), kz varchar(64), name varchar(255) NOT NULL, beschr text, anmeldung varchar(128) NOT NULL,
  mail varchar(255), vorname varchar(255), nachname varchar(255), tel varchar(64), rolle varchar(128), persnr bigint, mand char(3), werke text,
  plaetze text, spr char(3), zeitzone varchar(64), letzte varchar(14), gesperrt char(1) NOT NULL DEFAULT ' ', angelegt varchar(8),
  changed_at timestamptz NOT NULL DEFAULT now());

-- bezug_art is the kind of bezug: A(uftrag) G(eraet) W(artungsplan).
CREATE TABLE pruefliste (
  plinr bigint PRIMARY KEY DEFAULT nextval('nk_people'), kz varchar(64), bez varchar(255) NOT NULL, beschr text, stand integer, kz_vorlage char(1),
  gruppe varchar(32), bezug_art char(1), bezug bigint, gesperrt char(1) NOT NULL DEFAULT ' ', angelegt varchar(8),
  changed_at timestamptz NOT NULL DEFAULT now());

CREATE TABLE pruefpunkt (
  plinr bigint NOT NULL, punkt integer NOT NULL, frage varchar(500) NOT NULL, hinweis text, art char(1) NOT NULL, auswahl text, eh varchar(64),
  von varchar(20), bis varchar(20), kz_pflicht char(1) NOT NULL DEFAULT 'N', wert text, kz_ok char(1), erledigt varchar(14), persnr bigint,
  angelegt varchar(8), changed_at timestamptz NOT NULL DEFAULT now(), PRIMARY KEY (plinr, punkt));

-- bezug_art is the kind of bezug: L(ief) K(unde) A(uftrag) B(estellung) G(eraet) T(eil) R(echnung) V(erkauf) M(eldung).
CREATE TABLE notiz (
  notiznr bigint PRIMARY KEY DEFAULT nextval('nk_people'), kz varchar(64), bezug_art char(1) NOT NULL, bezug bigint NOT NULL, text text NOT NULL,
  kz_intern char(1), antwort_auf bigint, bennr bigint, geaendert timestamptz, angelegt varchar(8), changed_at timestamptz NOT NULL DEFAULT now());

-- bezug_art as in notiz, and X (contract) N(otiz) Q (requisition) P (request for quotation) S(chritt) W(artungsplan). ziel:
-- bezug, for steps the number of the order and of the step (400010001/10). art: B(ild) D(okument) Z(eichnung) T(on) V(ideo)
-- L(ink).
CREATE TABLE anhang (
  anhnr bigint PRIMARY KEY DEFAULT nextval('nk_people'), kz varchar(64), name varchar(255) NOT NULL, beschr text, bezug_art char(1) NOT NULL,
  bezug bigint NOT NULL, ziel varchar(40), mime varchar(128) NOT NULL, art char(1), bytes bigint, pruefsumme varchar(64), pfad varchar(2000), vorschau varchar(2000),
  kz_verborgen char(1), bennr bigint, inhalt bytea, angelegt varchar(8), changed_at timestamptz NOT NULL DEFAULT now());

-- Columns added later to older tables.
ALTER TABLE personal ADD COLUMN geschl varchar(32), ADD COLUMN steuernr varchar(64), ADD COLUMN strasse varchar(255), ADD COLUMN adrzusatz varchar(255),
  ADD COLUMN plz varchar(32), ADD COLUMN ort varchar(255), ADD COLUMN adr_land varchar(2), ADD COLUMN gesperrt char(1) NOT NULL DEFAULT ' ';
ALTER TABLE mandant ADD COLUMN adressen jsonb NOT NULL DEFAULT '[]';
ALTER TABLE werk ADD COLUMN kontnr bigint;
ALTER TABLE platz ADD COLUMN kontnr bigint;
