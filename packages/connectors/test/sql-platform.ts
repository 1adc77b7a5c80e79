import type { Platform } from '../src/platform.ts';
import { platformOfTexts } from './platform-of-texts.ts';

/** A small system of two tables that refuses some rows. */
export const tables = `
  CREATE SCHEMA "Old ERP";
  CREATE TABLE "Old ERP"."Head" (no bigserial PRIMARY KEY, name text NOT NULL, state char(2) NOT NULL DEFAULT 'A', amount numeric(12, 2),
    day date, at timestamptz, flag boolean, extra jsonb, changed timestamptz NOT NULL DEFAULT now(), CHECK (name <> 'nonsense'),
    CONSTRAINT "HD-001: a head needs a name" CHECK (name <> 'unnamed'), CONSTRAINT head_name_rule CHECK (name <> 'plain'),
    CONSTRAINT "the unit_price of Head is wrong" CHECK (name <> 'named'), code uuid, opens time,
    CONSTRAINT "Head name" CHECK (name <> 'short'), CONSTRAINT "Head the odd name_check1" CHECK (name <> 'generated'));
  CREATE TABLE "Old ERP".line (head bigint NOT NULL REFERENCES "Old ERP"."Head" (no) ON DELETE CASCADE, pos int NOT NULL, qty int CHECK (qty > 0),
    PRIMARY KEY (head, pos));
  CREATE TABLE "Old ERP".pledge (head bigint NOT NULL REFERENCES "Old ERP"."Head" (no));
  CREATE TABLE "Old ERP".done (id text PRIMARY KEY, what text NOT NULL, which text NOT NULL);
  CREATE FUNCTION "Old ERP".add_amount(which text, v jsonb) RETURNS void LANGUAGE sql AS
    $$ UPDATE "Old ERP"."Head" SET amount = coalesce(amount, 0) + (v ->> 'by')::numeric WHERE no = which::bigint $$;
  CREATE FUNCTION "Old ERP".refuse() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN IF NEW.name = 'blocked' THEN RAISE EXCEPTION 'Sorry, % is blocked', NEW.name; END IF; RETURN NEW; END $$;
  CREATE TRIGGER refuse BEFORE INSERT OR UPDATE ON "Old ERP"."Head" FOR EACH ROW EXECUTE FUNCTION "Old ERP".refuse();`;

interface Choices {
  readonly journal: boolean;
  /** Long enough for a busy machine, unless a test needs it to expire. */
  readonly statementTimeoutMs?: number;
}

const yaml = ({ journal, statementTimeoutMs = 60_000 }: Choices) => `
id: old
name: Old ERP
driver: sql
settings: { type: object, required: [url], properties: { url: { type: string, format: uri, writeOnly: true } } }
options:
  schema: Old ERP
  statementTimeoutMs: ${statementTimeoutMs}
  cursorOverlapSeconds: 0
  ${journal ? 'journal: { table: done, writeId: id, object: what, key: which }' : ''}
streams:
  Head:
    key: no
    cursor: changed
    deletes: diff
    options:
      children: { lines: { table: line, parent: { head: no }, key: [head, pos], number: pos, written: true } }
      actions:
        release: { when: { column: state, in: [A] }, refusal: 'Head {no} is in state {state}', set: { state: B }, now: [at] }
        add: { requires: [by], call: add_amount }
  line: { key: [head, pos] }
`;

export function sqlPlatform(choices: Choices): Platform {
  return platformOfTexts(yaml(choices));
}
