import pg from 'pg';
import type { Login } from './logins.ts';

/** SQLSTATE of a lock timeout. */
const LOCKED = '55P03';

/** Statements that transfer objects of the superuser to a login; objects of PostgreSQL itself have ids below 16384. */
const STATEMENTS = `
  with mine as (select oid from pg_roles where rolname = current_user),
  objects (kind, name, owner, oid) as (
    select 'schema', quote_ident(nspname), nspowner, oid from pg_namespace where nspname !~ '^pg_'
    union all
    select 'table', oid::regclass::text, relowner, oid from pg_class
     where relkind in ('r', 'p', 'v', 'm', 'f') and relpersistence <> 't'
    union all
    select 'sequence', c.oid::regclass::text, relowner, c.oid from pg_class c
     where relkind = 'S' and relpersistence <> 't' and not exists (
       select from pg_depend d
        where d.classid = 'pg_class'::regclass and d.objid = c.oid
          and d.refclassid = 'pg_class'::regclass and d.deptype in ('a', 'i'))
    union all
    select 'routine', oid::regprocedure::text, proowner, oid from pg_proc
    union all
    select 'type', t.oid::regtype::text, typowner, t.oid from pg_type t left join pg_class c on c.oid = typrelid
     where typtype in ('d', 'e', 'r') or relkind = 'c'
  )
  select format('alter %s %s owner to %I', kind, name, $1::text) as statement
    from objects join mine on mine.oid = objects.owner
   where objects.oid >= 16384
     and not exists (select from pg_depend d where d.objid = objects.oid and d.deptype = 'e')`;

/**
 * Gives the database that the superuser is connected to, and all that it contains, to a login, and keeps other logins
 * out. Databases of earlier releases belong to the superuser. Does nothing if this was done before.
 */
export async function handOver(client: pg.Client, owner: Login): Promise<void> {
  const { rows } = await client.query(
    `select quote_ident(datname) as database, pg_get_userbyid(datdba) = $1 and datacl is not null as done
       from pg_database where datname = current_database()`,
    [owner],
  );
  const { database, done } = rows[0];
  if (done) return;
  const { rows: objects } = await client.query<{ statement: string }>(STATEMENTS, [owner]);
  const statements = [
    `set local lock_timeout to '60s'`,
    ...objects.map(({ statement }) => statement),
    `alter database ${database} owner to ${owner}`,
    `revoke all on database ${database} from public`,
  ];
  // Sent as one query, so they take effect together or not at all.
  await client.query(statements.join(';\n')).catch((cause: unknown) => {
    if (!(cause instanceof pg.DatabaseError && cause.code === LOCKED)) throw cause;
    throw new Error(
      `The database ${database} is being used by a process of an earlier release, which must end before this release ` +
        'can take it over. Stop that process, then start again.',
      { cause },
    );
  });
}
