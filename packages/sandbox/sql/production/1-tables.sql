-- Production of the sandbox company: work centers, bills of material, routings and production orders, and materials and
-- resources of all kinds of orders. The planning module came from another vendor: it counts in minutes and stores times
-- as text.

CREATE SEQUENCE nk_production START 800001;

CREATE TABLE arbplatz (
  apnr bigint PRIMARY KEY DEFAULT nextval('nk_production'), apkz varchar(64), bez varchar(255) NOT NULL, beschr text, typ varchar(32), werknr bigint,
  platznr bigint, kst varchar(64), anlnr bigint, stueck_std numeric(15, 3), parallel integer, nutzgrad numeric(7, 2), lohn_ct bigint, masch_ct bigint,
  gemein_ct bigint, satz_ct bigint GENERATED ALWAYS AS (coalesce(lohn_ct, 0) + coalesce(masch_ct, 0) + coalesce(gemein_ct, 0)) STORED, waehr varchar(64),
  status char(1) NOT NULL DEFAULT 'L', zeiten jsonb NOT NULL DEFAULT '[]', ruest_min integer, abruest_min integer, gesperrt char(1) NOT NULL DEFAULT ' ',
  angelegt varchar(8), changed_at timestamptz NOT NULL DEFAULT now());

CREATE TABLE arbplan (
  plnr bigint PRIMARY KEY DEFAULT nextval('nk_production'), plkz varchar(64), bez varchar(255) NOT NULL, beschr text, artid bigint, werknr bigint,
  version varchar(32), vorgabe char(1) NOT NULL DEFAULT 'N', gesperrt char(1) NOT NULL DEFAULT ' ', angelegt varchar(8),
  changed_at timestamptz NOT NULL DEFAULT now());

CREATE TABLE plvorgang (
  plnr bigint NOT NULL, vornr integer NOT NULL, bez varchar(255) NOT NULL, text text, apnr bigint, ruest_min numeric(12, 2), stueck_min numeric(12, 3),
  losgr numeric(15, 3), warte_min numeric(12, 2), transport_min numeric(12, 2), satz_ct bigint, kz_fremd char(1), liefnr bigint, kz_pruef char(1),
  angelegt varchar(8), changed_at timestamptz NOT NULL DEFAULT now(), PRIMARY KEY (plnr, vornr));

CREATE TABLE stueckliste (
  stlnr bigint PRIMARY KEY DEFAULT nextval('nk_production'), stlkz varchar(64), bez varchar(255), beschr text, artid bigint NOT NULL,
  menge numeric(15, 3) NOT NULL, eh varchar(64), typ char(1), version varchar(32), mand char(3), werknr bigint, projnr bigint, plnr bigint,
  vorgabe char(1) NOT NULL DEFAULT 'N', gesperrt char(1) NOT NULL DEFAULT ' ', gueltig_ab varchar(8), gueltig_bis varchar(8), waehr varchar(64),
  ausschuss numeric(7, 3), bem text, angelegt varchar(8), changed_at timestamptz NOT NULL DEFAULT now());

-- vorgang is the number and the step of the routing, as in 21001/40.
CREATE TABLE stlpos (
  stlnr bigint NOT NULL, posnr integer NOT NULL, artid bigint NOT NULL, text text, menge numeric(15, 3) NOT NULL, eh varchar(64), ausschuss numeric(7, 3),
  unter_stl bigint, vorgang varchar(32), platznr bigint, kz_durch char(1), kz_wahl char(1), kz_ersatz char(1), preis numeric(15, 4),
  wert numeric(15, 2) GENERATED ALWAYS AS (round(menge * (1 + coalesce(ausschuss, 0) / 100) * coalesce(preis, 0), 2)) STORED, zeichpos varchar(128),
  bem text, angelegt varchar(8), changed_at timestamptz NOT NULL DEFAULT now(), PRIMARY KEY (stlnr, posnr));

CREATE TABLE fauf (
  faufnr bigint PRIMARY KEY DEFAULT nextval('nk_production'), faufkz varchar(64), text text, artid bigint NOT NULL, stlnr bigint, plnr bigint,
  menge numeric(15, 3) NOT NULL, eh varchar(64), gut_mg numeric(15, 3) NOT NULL DEFAULT 0, aus_mg numeric(15, 3) NOT NULL DEFAULT 0,
  status varchar(2) NOT NULL DEFAULT '10', prio char(1), mand char(3), kst varchar(64), konto bigint, werknr bigint, platznr bigint, zwischenlager bigint,
  ziellager bigint, vknr bigint, vkpos varchar(32), projnr bigint, ober_fauf bigint, charge varchar(128), plan_von varchar(14) NOT NULL, plan_bis varchar(14),
  faellig varchar(14), plan_kosten varchar(20), waehr varchar(64), beginn timestamptz, ende timestamptz, abschluss timestamptz, statustext text, bem text,
  angelegt varchar(8), changed_at timestamptz NOT NULL DEFAULT now());

CREATE TABLE favorgang (
  favnr bigint PRIMARY KEY DEFAULT nextval('nk_production'), favkz varchar(64), faufnr bigint NOT NULL, vornr integer NOT NULL, bez varchar(255) NOT NULL,
  text text, apnr bigint, persnr bigint, status char(1) NOT NULL DEFAULT 'O', soll_von varchar(14), soll_bis varchar(14), ist_von timestamptz,
  ist_bis timestamptz, soll_min numeric(12, 2), ist_min numeric(12, 2), gut_mg numeric(15, 3), aus_mg numeric(15, 3), losgr numeric(15, 3), satz_ct bigint,
  soll_ct bigint GENERATED ALWAYS AS (round(soll_min * satz_ct / 60)) STORED, ist_ct bigint GENERATED ALWAYS AS (round(ist_min * satz_ct / 60)) STORED,
  angelegt varchar(8), changed_at timestamptz NOT NULL DEFAULT now());

-- Materials and resources of orders. bezug_art is the kind of the order: A(uftrag) F(ertigungsauftrag). schritt and
-- bestpos are a step and a position, as the number of the document, a slash and their own number.
CREATE TABLE aufmat (
  matnr bigint PRIMARY KEY DEFAULT nextval('nk_production'), matkz varchar(64), bezug_art char(1) NOT NULL, bezug bigint NOT NULL, pos varchar(32),
  artid bigint NOT NULL, text text, schritt varchar(64), mg_soll numeric(15, 3) NOT NULL, mg_reserviert numeric(15, 3) NOT NULL DEFAULT 0,
  mg_ausgabe numeric(15, 3) NOT NULL DEFAULT 0, mg_retour numeric(15, 3) NOT NULL DEFAULT 0, eh varchar(64), platznr bigint, fachnr bigint,
  preis numeric(15, 4), wert numeric(15, 2) GENERATED ALWAYS AS (round((mg_ausgabe - mg_retour) * coalesce(preis, 0), 2)) STORED, waehr varchar(64),
  bedarf varchar(10), liefnr bigint, bestpos varchar(64), kz_lager char(1), charge varchar(128), seriennr jsonb NOT NULL DEFAULT '[]', bem text,
  angelegt varchar(8), changed_at timestamptz NOT NULL DEFAULT now());

CREATE TABLE aufres (
  resnr bigint PRIMARY KEY DEFAULT nextval('nk_production'), reskz varchar(64), bezug_art char(1) NOT NULL, bezug bigint NOT NULL, art char(1) NOT NULL,
  text text, kapnr bigint, persnr bigint, liefnr bigint, anlnr bigint, schritt varchar(64), gewerk varchar(32), zeitart varchar(32),
  soll_std numeric(12, 2), ist_std numeric(12, 2), satz_ct bigint, kosten_ct bigint GENERATED ALWAYS AS (round(ist_std * satz_ct)) STORED, waehr varchar(64),
  von varchar(14), bis varchar(14), konto bigint, kz_fakt char(1), kz_best char(1), angelegt varchar(8), changed_at timestamptz NOT NULL DEFAULT now());

CREATE TABLE kapazitaet (
  kapnr bigint PRIMARY KEY DEFAULT nextval('nk_production'), kapkz varchar(64), bez varchar(255) NOT NULL, beschr text, persnr bigint, bennr bigint,
  liefnr bigint, gewerk varchar(32), stufe varchar(64), team varchar(32), mand char(3), werke text NOT NULL DEFAULT '', plaetze text NOT NULL DEFAULT '',
  konto bigint, satz varchar(20), satz_ueber varchar(20), waehr varchar(64), tag_std numeric(5, 2), kalender varchar(64),
  gesperrt char(1) NOT NULL DEFAULT ' ', bem text, angelegt varchar(8), changed_at timestamptz NOT NULL DEFAULT now());
