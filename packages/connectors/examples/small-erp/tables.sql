-- The tables that this platform reads and writes. The programs of the ERP set changed_at with every change.
CREATE TABLE supplier (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  number text NOT NULL UNIQUE,
  name text NOT NULL,
  email text,
  changed_at timestamptz NOT NULL DEFAULT now()
);
CREATE TABLE article (
  number text PRIMARY KEY,
  name text NOT NULL,
  changed_at timestamptz NOT NULL DEFAULT now()
);
CREATE TABLE purchase_order (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  number text NOT NULL UNIQUE,
  supplier_id integer NOT NULL REFERENCES supplier,
  ordered_on date,
  status text NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'approved', 'closed')),
  changed_at timestamptz NOT NULL DEFAULT now()
);
CREATE TABLE purchase_order_line (
  order_id integer NOT NULL REFERENCES purchase_order,
  line integer NOT NULL,
  article text REFERENCES article,
  quantity numeric(12, 3) NOT NULL,
  price numeric(12, 2),
  changed_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (order_id, line)
);
