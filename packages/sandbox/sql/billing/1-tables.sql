-- Billing: invoices to customers and from vendors, and their settlement.

CREATE SEQUENCE nk_billing START 6000100001;

CREATE TABLE steuer (
  stnr bigint PRIMARY KEY DEFAULT nextval('nk_billing'), stkz varchar(64), bez varchar(255) NOT NULL, beschr text, satz varchar(12) NOT NULL, satz_ges varchar(12),
  art char(1), lkz varchar(64), mand char(3), konto bigint, teile jsonb NOT NULL DEFAULT '[]', kz_kumuliert char(1), kz_abzug char(1),
  gueltig_ab varchar(8), gueltig_bis varchar(8), status char(1) NOT NULL DEFAULT 'A', gesperrt char(1) NOT NULL DEFAULT ' ',
  angelegt varchar(8), changed_at timestamptz NOT NULL DEFAULT now());

CREATE TABLE zahlbed (
  zbnr bigint PRIMARY KEY DEFAULT nextval('nk_billing'), zbkz varchar(64), bez varchar(255) NOT NULL, beschr text, tage integer NOT NULL, basis char(1), stichtag integer,
  skonto_proz numeric(7, 3), skonto_tage integer, raten jsonb NOT NULL DEFAULT '[]', aktiv char(1) NOT NULL DEFAULT 'J',
  angelegt varchar(8), changed_at timestamptz NOT NULL DEFAULT now());

CREATE TABLE zahlart (
  zahlart varchar(64) PRIMARY KEY DEFAULT 'PM-' || nextval('nk_billing'), bez varchar(255) NOT NULL, beschr text, typ char(2), konto bigint,
  gesperrt char(1) NOT NULL DEFAULT ' ', angelegt varchar(8), changed_at timestamptz NOT NULL DEFAULT now());

-- herkunft: O if entered as an open item. belegart: D(ebitor) or K(reditor); vorgang: R(echnung) G(utschrift) A(nzahlung)
-- K(orrektur). Totals are updated by triggers.
CREATE TABLE rechkopf (
  rechnr bigint PRIMARY KEY DEFAULT nextval('nk_billing'), belegnr varchar(64) CONSTRAINT rechkopf_belegnr UNIQUE, fremdnr varchar(255), belegart char(1) NOT NULL, vorgang char(1) DEFAULT 'R', beschr text,
  kdnr bigint, liefnr bigint, kontnr bigint, status char(1) NOT NULL DEFAULT 'E', mand char(3), kst varchar(64), platznr bigint, projnr bigint, vknr bigint,
  bestnr bigint, vtrnr bigint, zbnr bigint, zahlart varchar(64), waehr varchar(64), kurs numeric(18, 6), pernr bigint, konto bigint, schluessel text,
  rechdat varchar(10), faelldat varchar(10), eingdat varchar(8), kz_brutto char(1), rabatt_proz numeric(7, 3), rabatt_ct bigint, fracht_ct bigint,
  netto_ct bigint, pos_ust_ct bigint, ust_ct bigint, brutto_ct bigint, bezahlt_ct bigint NOT NULL DEFAULT 0, offen_ct bigint,
  re_name varchar(255), re_strasse varchar(255), re_plz varchar(32), re_ort varchar(255), re_lkz varchar(2),
  li_name varchar(255), li_strasse varchar(255), li_plz varchar(32), li_ort varchar(255), li_lkz varchar(2),
  freigeber bigint, freigabe_am timestamptz, gebucht_am timestamptz, bezahlt_am timestamptz, letzte_zahlung varchar(8), storno_am timestamptz, grund varchar(32),
  status_am timestamptz, statustext text, herkunft char(1), zeichen varchar(255), kopftext text, bem text, beleg_url varchar(2000),
  angelegt varchar(8), changed_at timestamptz NOT NULL DEFAULT now());

CREATE TABLE rechpos (
  rechnr bigint NOT NULL, posnr integer NOT NULL, typ char(1) NOT NULL DEFAULT 'A', artid bigint, text text, menge numeric(15, 3) DEFAULT 1, eh varchar(64),
  preis numeric(15, 4), rabatt_proz numeric(7, 3), rabatt_betrag numeric(15, 2),
  betrag numeric(15, 2) GENERATED ALWAYS AS (positionswert(menge, preis, rabatt_proz, rabatt_betrag)) STORED,
  stnr bigint, ust numeric(15, 2), konto bigint, best_pos varchar(64), vk_pos varchar(64), we_pos varchar(64), anlnr bigint, aufid bigint, persnr bigint,
  kst varchar(64), projnr bigint, schluessel text, leistdat varchar(10), kz_weiter char(1), kz_anzahlung char(1), bem text,
  angelegt varchar(8), changed_at timestamptz NOT NULL DEFAULT now(), PRIMARY KEY (rechnr, posnr));

-- zuordnung: [{ art, beleg, betrag, am }], betrag as text with a decimal comma; ausgleich is derived from it.
CREATE TABLE zahlung (
  zahlnr bigint PRIMARY KEY DEFAULT nextval('nk_billing'), belegnr varchar(64), beschr text, richtung char(1) NOT NULL, kdnr bigint, liefnr bigint, konto bigint,
  bkonr bigint, zahlart varchar(64), mand char(3), kst varchar(64), projnr bigint, pernr bigint, waehr varchar(64), kurs numeric(18, 6), schluessel text,
  status char(1) NOT NULL DEFAULT 'G', buchdat varchar(10) NOT NULL, betrag_ct bigint NOT NULL, rest_ct bigint, gebuehr varchar(20), kz_abgestimmt char(1),
  zuordnung jsonb NOT NULL DEFAULT '[]', bankref varchar(255), verwendung text, angelegt varchar(8), changed_at timestamptz NOT NULL DEFAULT now());

CREATE TABLE gutschrift (
  gutnr bigint PRIMARY KEY DEFAULT nextval('nk_billing'), belegnr varchar(64), beschr text, belegart char(1) NOT NULL, kdnr bigint, liefnr bigint, rechnr bigint,
  retnr bigint, status char(1) NOT NULL DEFAULT 'G', mand char(3), kst varchar(64), projnr bigint, konto bigint, waehr varchar(64), kurs numeric(18, 6),
  schluessel text, gutdat varchar(10), kz_brutto char(1), ust_ct bigint, brutto_ct bigint NOT NULL,
  netto_ct bigint GENERATED ALWAYS AS (brutto_ct - coalesce(ust_ct, 0)) STORED, rest_ct bigint, angerechnet_am timestamptz,
  grund varchar(32), positionen jsonb NOT NULL DEFAULT '[]', zuordnung jsonb NOT NULL DEFAULT '[]', zeichen varchar(255), bem text,
  angelegt varchar(8), changed_at timestamptz NOT NULL DEFAULT now());

-- Settlements of an invoice: art Z(ahlung) or G(utschrift), nr its number.
CREATE TABLE ausgleich (
  art char(1) NOT NULL, nr bigint NOT NULL, rechnr bigint NOT NULL, betrag_ct bigint NOT NULL, am varchar(8), PRIMARY KEY (art, nr, rechnr));

-- Open items: one per installment of a posted invoice, credit note or payment (rechnr, gutnr or zahlnr), kept when
-- settled. mahnstufe is the number of reminders. seite: D(ebitor) or K(reditor); art: R(echnung) G(utschrift) A(nzahlung)
-- K(orrektur), credits are negative.
CREATE SEQUENCE nk_posten START 6000200001;
CREATE TABLE offener_posten (
  opnr bigint PRIMARY KEY DEFAULT nextval('nk_posten'), opkz varchar(64), seite char(1) NOT NULL, art char(1), rechnr bigint, gutnr bigint, zahlnr bigint,
  rate integer NOT NULL DEFAULT 1, raten integer NOT NULL DEFAULT 1, belegnr varchar(255), kdnr bigint, liefnr bigint, mand char(3), kst varchar(64), projnr bigint,
  konto bigint, waehr varchar(64), belegdat varchar(10), faelldat varchar(10), betrag_ct bigint NOT NULL, offen_ct bigint, letzte_zahlung varchar(8),
  zahlart varchar(64), kz_sperre char(1) DEFAULT 'N', mahnstufe integer NOT NULL DEFAULT 0, beschr text, zeichen varchar(255), bem text,
  angelegt varchar(8), changed_at timestamptz NOT NULL DEFAULT now());
