-- Cascade Outfitters, Seattle: a small company whose database was never made for an API. Mixed-case names, four
-- schemas, composite keys, padded codes, wall-clock times without a zone.
CREATE SCHEMA "Reference";
CREATE SCHEMA "Stock";
CREATE SCHEMA "Purchasing";
CREATE SCHEMA "People";

CREATE DOMAIN "Reference"."Name" AS varchar(60);

CREATE TABLE "Reference"."Currency" ("CurrencyCode" char(6) PRIMARY KEY, "Name" "Reference"."Name" NOT NULL,
  "ModifiedDate" timestamp NOT NULL DEFAULT now());
CREATE TABLE "Reference"."Country" ("CountryCode" char(4) PRIMARY KEY, "Name" "Reference"."Name" NOT NULL, "ModifiedDate" timestamp NOT NULL DEFAULT now());
CREATE TABLE "Reference"."UnitMeasure" ("UnitCode" char(5) PRIMARY KEY, "Name" "Reference"."Name" NOT NULL, "ModifiedDate" timestamp NOT NULL DEFAULT now());
CREATE TABLE "Reference"."PaymentTerm" ("TermGroup" char(4), "TermCode" varchar(8), "Name" "Reference"."Name" NOT NULL,
  "ModifiedDate" timestamp NOT NULL DEFAULT now(), PRIMARY KEY ("TermGroup", "TermCode"));

CREATE TABLE "Stock"."Warehouse" ("WarehouseID" int PRIMARY KEY, "Name" "Reference"."Name" NOT NULL, "ModifiedDate" timestamp NOT NULL DEFAULT now());
CREATE TABLE "Stock"."Shelf" ("WarehouseID" int REFERENCES "Stock"."Warehouse", "Shelf" varchar(10), "ModifiedDate" timestamp NOT NULL DEFAULT now(),
  PRIMARY KEY ("WarehouseID", "Shelf"));
CREATE TABLE "Stock"."Item" ("ItemNo" char(12) PRIMARY KEY, "Name" "Reference"."Name" NOT NULL, "UnitCode" char(3) NOT NULL, "ListPrice" numeric(12, 2),
  "ModifiedDate" timestamp NOT NULL DEFAULT now());
CREATE TABLE "Stock"."OnHand" ("ItemNo" char(12) REFERENCES "Stock"."Item", "WarehouseID" int, "Shelf" varchar(10), "Quantity" int NOT NULL,
  "CountedAt" timestamp, "ModifiedDate" timestamp NOT NULL DEFAULT now(), PRIMARY KEY ("ItemNo", "WarehouseID", "Shelf"),
  FOREIGN KEY ("WarehouseID", "Shelf") REFERENCES "Stock"."Shelf");

CREATE TABLE "People"."Department" ("CompanyCode" char(4), "DepartmentCode" varchar(8), "Name" "Reference"."Name" NOT NULL,
  "ModifiedDate" timestamp NOT NULL DEFAULT now(), PRIMARY KEY ("CompanyCode", "DepartmentCode"));
CREATE TABLE "People"."Employee" ("EmployeeID" int PRIMARY KEY, "FirstName" "Reference"."Name", "LastName" "Reference"."Name", "JobTitle" varchar(50),
  "HireDate" date, "CompanyCode" char(4), "DepartmentCode" varchar(8), "ModifiedDate" timestamp NOT NULL DEFAULT now(),
  FOREIGN KEY ("CompanyCode", "DepartmentCode") REFERENCES "People"."Department");

-- The account number has no default; the company's own program assigns it.
CREATE TABLE "Purchasing"."Supplier" ("SupplierID" int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, "AccountNumber" char(10) NOT NULL UNIQUE,
  "Name" "Reference"."Name" NOT NULL, "CurrencyCode" char(3), "TermGroup" char(4), "TermCode" varchar(8), "Active" char(1) NOT NULL DEFAULT 'Y', "ModifiedDate" timestamp NOT NULL DEFAULT now());
CREATE TABLE "Purchasing"."OrderHeader" ("BranchID" smallint, "OrderNo" int, "SupplierID" int NOT NULL REFERENCES "Purchasing"."Supplier",
  "BuyerID" int REFERENCES "People"."Employee", "Status" smallint NOT NULL DEFAULT 1, "OrderDate" timestamp NOT NULL,
  "ModifiedDate" timestamp NOT NULL DEFAULT now(), PRIMARY KEY ("BranchID", "OrderNo"));
CREATE TABLE "Purchasing"."OrderLine" ("BranchID" smallint, "OrderNo" int, "LineNo" smallint, "ItemNo" char(12) NOT NULL REFERENCES "Stock"."Item",
  "Quantity" int NOT NULL CHECK ("Quantity" > 0), "UnitPrice" numeric(12, 2) NOT NULL, "ModifiedDate" timestamp NOT NULL DEFAULT now(),
  PRIMARY KEY ("BranchID", "OrderNo", "LineNo"), FOREIGN KEY ("BranchID", "OrderNo") REFERENCES "Purchasing"."OrderHeader");
CREATE INDEX ON "Purchasing"."OrderHeader" ("ModifiedDate");
CREATE INDEX ON "Purchasing"."OrderLine" ("ModifiedDate");

CREATE TABLE "People"."Address" ("AddressID" int PRIMARY KEY, "OwnerKind" char(2) NOT NULL, "OwnerID" int NOT NULL, "Street" varchar(60) NOT NULL,
  "City" varchar(40), "CountryCode" char(2), "ModifiedDate" timestamp NOT NULL DEFAULT now());

CREATE FUNCTION "Purchasing"."CheckApproval"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  amount numeric := (SELECT sum("Quantity" * "UnitPrice") FROM "Purchasing"."OrderLine"
    WHERE "BranchID" = NEW."BranchID" AND "OrderNo" = NEW."OrderNo");
BEGIN
  IF NEW."Status" = 2 AND amount > 5000 THEN
    RAISE EXCEPTION 'Order %/% of % needs a second buyer', NEW."BranchID", NEW."OrderNo", amount;
  END IF;
  NEW."ModifiedDate" := now();
  RETURN NEW;
END $$;
CREATE TRIGGER "CheckApproval" BEFORE UPDATE ON "Purchasing"."OrderHeader" FOR EACH ROW EXECUTE FUNCTION "Purchasing"."CheckApproval"();

-- All of it was entered long before the database was connected.
INSERT INTO "Reference"."Currency" VALUES ('USD', 'US dollar', '2020-01-01'), ('CAD', 'Canadian dollar', '2020-01-01');
INSERT INTO "Reference"."Country" VALUES ('US', 'United States', '2020-01-01'), ('CA', 'Canada', '2020-01-01');
INSERT INTO "Reference"."UnitMeasure" VALUES ('EA', 'Each', '2020-01-01'), ('M', 'Meter', '2020-01-01'), ('PR', 'Pair', '2020-01-01');
INSERT INTO "Reference"."PaymentTerm" VALUES ('AP', 'N/30', 'Net 30', '2020-01-01'), ('AP', '2%/10', '2% in 10 days', '2020-01-01');
INSERT INTO "Stock"."Warehouse" VALUES (1, 'Ballard', '2020-01-01'), (2, 'Tacoma', '2020-01-01');
INSERT INTO "Stock"."Shelf" SELECT w, s, '2020-01-01' FROM unnest(ARRAY[1, 2]) AS w, unnest(ARRAY['A/1', 'A/2', '50%']) AS s;
INSERT INTO "Stock"."Item" SELECT 'CO-' || n, 'Article ' || n, (ARRAY['EA', 'M', 'PR'])[n % 3 + 1], n + 0.95, '2020-01-01' FROM generate_series(1, 40) AS n;
INSERT INTO "Stock"."OnHand" SELECT 'CO-' || n, n % 2 + 1, (ARRAY['A/1', 'A/2', '50%'])[n % 3 + 1], n * 3, '2026-07-01 08:15', '2020-01-01'
  FROM generate_series(1, 40) AS n;
INSERT INTO "People"."Department" VALUES ('CO', 'BUY', 'Buying', '2020-01-01'), ('CO', 'A/R', 'Receivables', '2020-01-01');
INSERT INTO "People"."Employee" SELECT n, 'First' || n, 'Last' || n, 'Buyer', date '2020-03-01' + n, 'CO', 'BUY', '2020-01-01' FROM generate_series(1, 8) AS n;
INSERT INTO "Purchasing"."Supplier" ("AccountNumber", "Name", "CurrencyCode", "Active", "ModifiedDate")
  SELECT 'S' || lpad(n::text, 4, '0'), 'Supplier ' || n, (ARRAY['USD', 'CAD'])[n % 2 + 1], CASE WHEN n % 7 = 0 THEN 'N' ELSE 'Y' END, '2020-01-01'
  FROM generate_series(1, 12) AS n;
INSERT INTO "Purchasing"."OrderHeader" SELECT b, n, n % 12 + 1, n % 8 + 1, 1, '2026-07-04', '2026-07-04 17:30'
  FROM unnest(ARRAY[1, 2]) AS b, generate_series(1, 15) AS n;
INSERT INTO "Purchasing"."OrderLine" SELECT b, n, l, 'CO-' || (n + l), l, CASE WHEN n = 15 THEN 9000 ELSE 20 END, '2026-07-04 17:30'
  FROM unnest(ARRAY[1, 2]) AS b, generate_series(1, 15) AS n, generate_series(1, 3) AS l;
INSERT INTO "People"."Address" SELECT n, (ARRAY['S', 'E'])[n % 2 + 1], n % 8 + 1, n || ' Market Street', 'Seattle', 'US', '2020-01-01'
  FROM generate_series(1, 16) AS n;
