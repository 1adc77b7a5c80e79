-- Tables of real estate: land and buildings, the spaces in them, leases and applications for them.

CREATE SEQUENCE nk_estate START 9900001;

-- eigner_art is the kind of the owner: M(andant) L(ief) K(unde).
CREATE TABLE liegenschaft (
  lgnr bigint PRIMARY KEY DEFAULT nextval('nk_estate'), kz varchar(64), bez varchar(255) NOT NULL, beschr text, art varchar(32), mand char(3), eigner_art char(1),
  eigner bigint, verwalter bigint, adr_art char(1), adr_name varchar(255), adr_zeile1 varchar(255), adr_zeile2 varchar(255), adr_zeile3 varchar(255),
  adr_plz varchar(32), adr_ort varchar(255), adr_kreis varchar(255), adr_region varchar(255), adr_lkz varchar(2), adr_tel varchar(64), adr_mail varchar(255),
  qm varchar(20), eh varchar(64), baujahr integer, erworben varchar(10), preis_ct bigint, waehr varchar(64), aktiv char(1) NOT NULL DEFAULT 'J',
  angelegt varchar(8), changed_at timestamptz NOT NULL DEFAULT now());

CREATE TABLE flaeche (
  flnr bigint PRIMARY KEY DEFAULT nextval('nk_estate'), kz varchar(64), bez varchar(255) NOT NULL, beschr text, lgnr bigint, platznr bigint NOT NULL, ueber bigint,
  geschoss varchar(32), art varchar(32), qm varchar(20), eh varchar(64), plaetze integer, kz_miete char(1), gesperrt char(1) NOT NULL DEFAULT ' ',
  angelegt varchar(8), changed_at timestamptz NOT NULL DEFAULT now());

-- mieter_art: K(unde) A(nsprechpartner) P(ersonal); verm_art as eigner_art.
CREATE TABLE mietvertrag (
  mvnr bigint PRIMARY KEY DEFAULT nextval('nk_estate'), kz varchar(64), beschr text, lgnr bigint, flnr bigint NOT NULL, mieter_art char(1) NOT NULL,
  mieter bigint NOT NULL, verm_art char(1), vermieter bigint, vtrnr bigint, manr bigint, art char(1), status char(1) NOT NULL DEFAULT 'E',
  beginn varchar(10) NOT NULL, ende varchar(10), einzug varchar(10), auszug varchar(10), gekuendigt varchar(10), miete_ct bigint NOT NULL, waehr varchar(64),
  turnus char(1), kaution_ct bigint, staffel varchar(8), staffel_ab varchar(10), raten jsonb NOT NULL DEFAULT '[]',
  nebenkosten jsonb NOT NULL DEFAULT '[]', kz_option char(1), qm varchar(20), eh varchar(64), bem text,
  angelegt varchar(8), changed_at timestamptz NOT NULL DEFAULT now());

CREATE TABLE mietantrag (
  manr bigint PRIMARY KEY DEFAULT nextval('nk_estate'), kz varchar(64), beschr text, bew_art char(1) NOT NULL, bewerber bigint NOT NULL, lgnr bigint,
  flnr bigint NOT NULL, status char(1) NOT NULL DEFAULT 'E', eingang varchar(14), entschieden varchar(14), entscheider bigint, ab varchar(10), monate integer,
  gebot_ct bigint, waehr varchar(64), einkommen varchar(20), punkte integer, mvnr bigint, bem text, angelegt varchar(8),
  changed_at timestamptz NOT NULL DEFAULT now());
