-- Equipment and its maintenance: assets, meters, plans and their triggers, requests, steps of work orders, alarms.
-- Lists of numbers are stored as text, separated by spaces.

CREATE SEQUENCE nk_maintenance START 900000;

CREATE TABLE anlage (
  anlnr bigint PRIMARY KEY DEFAULT nextval('nk_maintenance'), anlkz varchar(64), bez varchar(255) NOT NULL, beschr text, ober_anl bigint, vorlage bigint,
  art char(1), gruppe varchar(32), status varchar(2) NOT NULL DEFAULT '10', werknr bigint, platznr bigint, fachnr bigint, krit char(1), krit_text varchar(64),
  hersteller varchar(255), typ varchar(255), sernr varchar(128), strichcode varchar(255), funk_id varchar(128), liefnr bigint, lief_kennz varchar(255),
  kdnr bigint, besitzer bigint, nutzer bigint, team varchar(32), konto bigint, kst varchar(64), waehr varchar(64), kaufdat varchar(10), kauf_ct bigint,
  rest_ct bigint, buchwert_ct bigint, nutzung_mon integer, afa varchar(64), betrieb_ab varchar(10), stillgelegt varchar(10), garantie_von varchar(8),
  garantie_bis varchar(8), wartung_am varchar(8), breite varchar(12), laenge varchar(12), bild bigint, kz_real char(1) NOT NULL DEFAULT 'J',
  gesperrt char(1) NOT NULL DEFAULT ' ', status_am timestamptz, status_grund varchar(32), statustext text, bem text,
  angelegt varchar(8), changed_at timestamptz NOT NULL DEFAULT now());

-- ziel is the kind of the holder: P(ersonal) O(rt, a location) J (a project) K(unde).
CREATE TABLE anlzuord (
  zuordnr bigint PRIMARY KEY DEFAULT nextval('nk_maintenance'), zukz varchar(64), beschr text, anlnr bigint NOT NULL, ziel char(1) NOT NULL, persnr bigint,
  platznr bigint, projnr bigint, kdnr bigint, von varchar(14) NOT NULL, soll_bis varchar(14), bis timestamptz, status char(1) NOT NULL DEFAULT 'A',
  zustand_aus varchar(255), zustand_ein varchar(255), bennr bigint, statustext text, bem text,
  angelegt varchar(8), changed_at timestamptz NOT NULL DEFAULT now());

CREATE TABLE zaehler (
  zaehlnr bigint PRIMARY KEY DEFAULT nextval('nk_maintenance'), zkz varchar(64), bez varchar(255) NOT NULL, beschr text, anlnr bigint, platznr bigint,
  eh varchar(64) NOT NULL, art char(1), gruppe varchar(32), ableser text, turnus integer, ueberlauf numeric(15, 3), min_wert numeric(15, 3),
  max_wert numeric(15, 3), stand numeric(15, 3), stand_am varchar(14), gesperrt char(1) NOT NULL DEFAULT ' ',
  angelegt varchar(8), changed_at timestamptz NOT NULL DEFAULT now());

CREATE TABLE zaehlstand (
  zsnr bigint PRIMARY KEY DEFAULT nextval('nk_maintenance'), zskz varchar(64), beschr text, zaehlnr bigint NOT NULL, anlnr bigint, wert numeric(15, 3) NOT NULL,
  delta numeric(15, 3), eh varchar(64), gelesen varchar(14) NOT NULL, ableser bigint, quelle char(1), aufid bigint, kz_ueberlauf char(1) NOT NULL DEFAULT 'N',
  bem text, angelegt varchar(8), changed_at timestamptz NOT NULL DEFAULT now());

CREATE TABLE wplan (
  wpnr bigint PRIMARY KEY DEFAULT nextval('nk_maintenance'), wpkz varchar(64), bez varchar(255) NOT NULL, beschr text, anweisung text, art varchar(32), prio char(1),
  anlagen text, typ_anl bigint, werknr bigint, platznr bigint, team varchar(32), monteur bigint, konto bigint, soll_min integer,
  schritte jsonb NOT NULL DEFAULT '[]', plinr bigint, material text, einsatz text, anhaenge text, kz_stillstand char(1) NOT NULL DEFAULT 'N',
  kz_material char(1) NOT NULL DEFAULT 'N', gesperrt char(1) NOT NULL DEFAULT ' ', faellig_am timestamptz, letzte_am timestamptz, bem text,
  angelegt varchar(8), changed_at timestamptz NOT NULL DEFAULT now());

-- art is the kind of the trigger: T(ime) M(eter) C(ondition) E(vent). These codes are English: this module came later.
CREATE TABLE wausloeser (
  wanr bigint PRIMARY KEY DEFAULT nextval('nk_maintenance'), wakz varchar(64), bez varchar(255), beschr text, wpnr bigint NOT NULL, anlnr bigint,
  art char(1) NOT NULL, wdhnr bigint, zaehlnr bigint, abstand numeric(15, 3), eh varchar(64), bed char(1), schwelle numeric(15, 3), basis char(1),
  vorlauf integer, frist integer, von varchar(10), bis varchar(10), kz_wdh char(1) NOT NULL DEFAULT 'J', gesperrt char(1) NOT NULL DEFAULT ' ',
  letzte_am timestamptz, naechste_am timestamptz, angelegt varchar(8), changed_at timestamptz NOT NULL DEFAULT now());

-- melder_art: P(ersonal) or B(enutzer); a user need not be an employee.
CREATE TABLE meldung (
  meldnr bigint PRIMARY KEY DEFAULT nextval('nk_maintenance'), meldkz varchar(64), kurztext varchar(255) NOT NULL, langtext text,
  status varchar(2) NOT NULL DEFAULT '10', prio char(1), prio_text varchar(64), anlnr bigint, werknr bigint, platznr bigint, fachnr bigint,
  melder_art char(1) NOT NULL, melder bigint NOT NULL, freigeber bigint, bearbeiter bigint, team varchar(32), art varchar(32), problem varchar(32),
  abl_grund varchar(32), storno_grund varchar(32), aufid bigint, anhaenge text, kontakt varchar(255), faellig varchar(14),
  kz_stillstand char(1) NOT NULL DEFAULT ' ', soll_std varchar(20), gemeldet varchar(14) NOT NULL DEFAULT zeit_text(now()),
  freigabe_am timestamptz, ablehnung_am timestamptz, storno_am timestamptz, status_am timestamptz, statustext text, bem text,
  angelegt varchar(8), changed_at timestamptz NOT NULL DEFAULT now());

CREATE TABLE aufschritt (
  aufid bigint NOT NULL, schritt integer NOT NULL, skz varchar(64), folge integer NOT NULL, bez varchar(255) NOT NULL, beschr text, ober_schritt varchar(40),
  typ char(1), status char(1) NOT NULL DEFAULT 'O', prio_text varchar(64), anlnr bigint, zaehlnr bigint, monteur bigint, auswahl text, wert text,
  messwert numeric(15, 4), eh varchar(64), soll_min integer, ist_min integer, beginn timestamptz, ende timestamptz, erlediger bigint,
  kz_pflicht char(1) NOT NULL DEFAULT 'N', anhaenge text, bem text, angelegt varchar(8), changed_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (aufid, schritt));

CREATE TABLE alarm (
  alarmnr bigint PRIMARY KEY DEFAULT nextval('nk_maintenance'), alkz varchar(64), bez varchar(255) NOT NULL, beschr text, anlnr bigint, zaehlnr bigint,
  platznr bigint, stufe char(1) NOT NULL, status char(1) NOT NULL DEFAULT 'A', signal varchar(64), meldetext text, wert numeric(15, 3), grenze numeric(15, 3),
  eh varchar(64), zeit varchar(14) NOT NULL, quittiert_am timestamptz, quittierer bigint, geschlossen_am timestamptz, schliesser bigint, grund varchar(32),
  aufid bigint, quelle varchar(255), statustext text, angelegt varchar(8), changed_at timestamptz NOT NULL DEFAULT now());

-- Columns of work orders for this area. kapliste: numbers of labor resources.
ALTER TABLE auftrag ADD COLUMN anlnr bigint, ADD COLUMN projnr bigint, ADD COLUMN meldnr bigint, ADD COLUMN wpnr bigint, ADD COLUMN kapliste text,
  ADD COLUMN plinr bigint;
