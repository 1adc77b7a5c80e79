-- Tables of the ledger: banks and accounts with them, fiscal years, budgets, journal entries, exchange rates.

CREATE SEQUENCE nk_ledger START 8900001;

CREATE TABLE bank (
  banknr bigint PRIMARY KEY DEFAULT nextval('nk_ledger'), kurzbez varchar(64), bez varchar(255) NOT NULL, beschr text, bic varchar(11), blz varchar(32),
  lkz varchar(64), filiale varchar(255), adr_art char(1), adr_name varchar(255), adr_zeile1 varchar(255), adr_zeile2 varchar(255), adr_zeile3 varchar(255),
  adr_plz varchar(32), adr_ort varchar(255), adr_kreis varchar(255), adr_region varchar(255), adr_lkz varchar(2), adr_tel varchar(64), adr_mail varchar(255),
  www varchar(2000), gesperrt char(1) NOT NULL DEFAULT ' ', angelegt varchar(8), changed_at timestamptz NOT NULL DEFAULT now());

-- eigner_art is the kind of the owner: M(andant) L(ief) K(unde) P(ersonal).
CREATE TABLE bankkto (
  bkonr bigint PRIMARY KEY DEFAULT nextval('nk_ledger'), kz varchar(64), bez varchar(255) NOT NULL, beschr text, banknr bigint, ktonr varchar(34),
  iban varchar(34), bic varchar(11), blz varchar(32), bsb varchar(6), filialnr varchar(32), art char(1), waehr varchar(64) NOT NULL, eigner_art char(1),
  eigner bigint, konto bigint, saldo_ct bigint NOT NULL DEFAULT 0, kreditlinie_ct bigint NOT NULL DEFAULT 0,
  verfuegbar_ct bigint GENERATED ALWAYS AS (saldo_ct + kreditlinie_ct) STORED, gesperrt char(1) NOT NULL DEFAULT ' ',
  angelegt varchar(8), changed_at timestamptz NOT NULL DEFAULT now());

ALTER TABLE konto ADD COLUMN bkonr bigint, ADD COLUMN stnr bigint;

-- zustand: O(ffen), V(orlaeufig geschlossen), G(eschlossen).
CREATE TABLE gjahr (
  gjnr bigint PRIMARY KEY DEFAULT nextval('nk_ledger'), kz varchar(64), bez varchar(255) NOT NULL, beschr text, kalnr bigint, von varchar(8) NOT NULL,
  bis varchar(8) NOT NULL, zustand char(1) NOT NULL DEFAULT 'O', aktiv char(1) NOT NULL DEFAULT 'J', angelegt varchar(8),
  changed_at timestamptz NOT NULL DEFAULT now());

CREATE TABLE periode (
  pernr bigint PRIMARY KEY DEFAULT nextval('nk_ledger'), kz varchar(64), bez varchar(255) NOT NULL, beschr text, gjnr bigint NOT NULL, lfd integer NOT NULL,
  von varchar(8) NOT NULL, bis varchar(8) NOT NULL, zustand char(1) NOT NULL DEFAULT 'O', sonder char(1) NOT NULL DEFAULT 'N', angelegt varchar(8),
  changed_at timestamptz NOT NULL DEFAULT now());

CREATE TABLE budget (
  budnr bigint PRIMARY KEY DEFAULT nextval('nk_ledger'), kz varchar(64), bez varchar(255) NOT NULL, beschr text, gjnr bigint NOT NULL, mand char(3) NOT NULL,
  gegen char(1), kst varchar(64), projnr bigint, waehr varchar(64), verantw bigint, status char(1) NOT NULL DEFAULT 'E', revision integer, bei_ueber char(1),
  von varchar(10), bis varchar(10), takt char(1), summe_ct bigint NOT NULL DEFAULT 0, ist_ct bigint NOT NULL DEFAULT 0, obligo_ct bigint NOT NULL DEFAULT 0,
  rest_ct bigint GENERATED ALWAYS AS (summe_ct - ist_ct - obligo_ct) STORED, angelegt varchar(8), changed_at timestamptz NOT NULL DEFAULT now());

CREATE TABLE budgetpos (
  budnr bigint NOT NULL, posnr integer NOT NULL, konto bigint NOT NULL, pernr bigint, kst varchar(64), projnr bigint, betrag numeric(15, 2) NOT NULL,
  proz varchar(8), ist numeric(15, 2) NOT NULL DEFAULT 0, obligo numeric(15, 2) NOT NULL DEFAULT 0,
  rest numeric(15, 2) GENERATED ALWAYS AS (betrag - ist - obligo) STORED, bem text, angelegt varchar(8), changed_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (budnr, posnr));

-- quelle_art is the kind of the source document: R(echnung) G(utschrift) Z(ahlung) B(estellung) W(areneingang)
-- L(agerbewegung) A(uftrag).
CREATE TABLE buchung (
  buchnr bigint PRIMARY KEY DEFAULT nextval('nk_ledger'), belegnr varchar(64), beschr text, buchdat varchar(8) NOT NULL, status char(1) NOT NULL DEFAULT 'E',
  waehr varchar(64) NOT NULL, kurs numeric(18, 6), mand char(3), text varchar(255), zeichen varchar(255), quelle_art char(1), quelle bigint, pernr bigint,
  kz_storno char(1), stornodat varchar(10), gebucht_am timestamptz, positionen jsonb NOT NULL DEFAULT '[]', soll_ct bigint, haben_ct bigint,
  angelegt varchar(8), changed_at timestamptz NOT NULL DEFAULT now());

-- Amounts that posted entries add to the balances of accounts, in the currency of the account and in euros. Rows are only added,
-- so that entries of different documents do not wait for each other.
CREATE TABLE kontoumsatz (
  buchnr bigint NOT NULL, kontoid bigint NOT NULL, betrag numeric(15, 2) NOT NULL, euro numeric(15, 2) NOT NULL,
  changed_at timestamptz NOT NULL DEFAULT now(), PRIMARY KEY (kontoid, buchnr));

CREATE TABLE kurs (
  kursnr bigint PRIMARY KEY DEFAULT nextval('nk_ledger'), waehr varchar(64) NOT NULL, basis varchar(64) NOT NULL, wert varchar(20) NOT NULL,
  ab varchar(10) NOT NULL, beschr text, angelegt varchar(8), changed_at timestamptz NOT NULL DEFAULT now());
