import type pg from 'pg';

/** A table of an installation. Names are quoted and have their schema. */
export interface InstallationTable {
  readonly name: string;
  /** In the order of their names. */
  readonly columns: readonly Column[];
  /** Tables that its foreign keys refer to. */
  readonly referenced: readonly string[];
  /** Whether row-level security hides its rows even from its owner. */
  readonly isForced: boolean;
}

export interface Column {
  readonly name: string;
  readonly type: string;
}

/** A part of a table, such as the log of a day. */
export interface Partition {
  readonly name: string;
  readonly of: string;
  /** `FOR VALUES FROM … TO …` */
  readonly bound: string;
}

/** All that the service stores, except jobs: workers add those again from these tables. */
const SCHEMAS = `('unified', 'data')`;

const TABLES = `
  select format('%I.%I', n.nspname, c.relname) as name, c.relforcerowsecurity as "isForced",
         (select coalesce(json_agg(json_build_object('name', quote_ident(a.attname), 'type', format_type(a.atttypid, a.atttypmod))
                                   order by a.attname collate "C"), '[]')
            from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns,
         (select coalesce(json_agg(distinct format('%I.%I', rn.nspname, r.relname)), '[]')
            from pg_constraint f join pg_class r on r.oid = f.confrelid join pg_namespace rn on rn.oid = r.relnamespace
           where f.conrelid = c.oid and f.contype = 'f' and f.confrelid <> c.oid) as referenced
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
   where n.nspname in ${SCHEMAS} and c.relkind in ('r', 'p') and not c.relispartition
   order by n.nspname desc, c.relname`;

/** The tables of an installation, each after those that its foreign keys refer to. Partitions belong to their tables. */
export async function installationTables(client: pg.ClientBase): Promise<InstallationTable[]> {
  const { rows } = await client.query<InstallationTable>(TABLES);
  return inOrder(rows);
}

function inOrder(tables: readonly InstallationTable[]): InstallationTable[] {
  const ordered = new Set<InstallationTable>();
  while (ordered.size < tables.length) {
    const names = new Set([...ordered].map(({ name }) => name));
    const next = tables.filter((table) => !ordered.has(table) && table.referenced.every((name) => names.has(name)));
    if (next.length === 0) throw new Error('The tables refer to each other in a circle.');
    for (const table of next) ordered.add(table);
  }
  return [...ordered];
}

export async function partitionsOf(client: pg.ClientBase): Promise<Partition[]> {
  const { rows } = await client.query<Partition>(
    `select format('%I.%I', n.nspname, c.relname) as name, format('%I.%I', pn.nspname, p.relname) as of,
            pg_get_expr(c.relpartbound, c.oid) as bound
       from pg_class c join pg_namespace n on n.oid = c.relnamespace
       join pg_inherits i on i.inhrelid = c.oid
       join pg_class p on p.oid = i.inhparent join pg_namespace pn on pn.oid = p.relnamespace
      where c.relispartition and c.relkind = 'r' and n.nspname in ${SCHEMAS} order by 1`,
  );
  return rows;
}

/** A trigger of the service. */
export interface TableTrigger {
  readonly table: string;
  readonly name: string;
}

export async function triggersOf(client: pg.ClientBase): Promise<TableTrigger[]> {
  const { rows } = await client.query<TableTrigger>(
    `select format('%I.%I', n.nspname, c.relname) as "table", quote_ident(t.tgname) as name
       from pg_trigger t join pg_class c on c.oid = t.tgrelid join pg_namespace n on n.oid = c.relnamespace
      where not t.tgisinternal and n.nspname in ${SCHEMAS} order by 1, 2`,
  );
  return rows;
}

/** The last value of each sequence that has been used, by its name. */
export async function sequencesOf(client: pg.ClientBase): Promise<{ name: string; last: string }[]> {
  const { rows } = await client.query<{ name: string; last: string }>(
    `select format('%I.%I', schemaname, sequencename) as name, last_value::text as last
       from pg_sequences where schemaname in ${SCHEMAS} and last_value is not null order by 1`,
  );
  return rows;
}
