import type pg from 'pg';
import { parserOf } from './column-types.ts';
import { asRemoved, asUnavailable } from './failures.ts';
import type { Parameter } from './parameter.ts';
import { type Answer, ScopedStatement, type Statement } from './scoped-statement.ts';
import { bulkStatement, fixedStatement } from './statement.ts';

/** Access to the database that sees one connection of a customer only. */
export interface Session {
  /** Runs a fixed statement and returns its rows as objects. */
  run<Row>(text: string, values?: readonly Parameter[]): Promise<Row[]>;
  /** The same for a statement on many rows, planned each time. */
  runBulk<Row>(text: string, values?: readonly Parameter[]): Promise<Row[]>;
  /** Runs a statement and returns its rows as text, in the order of its columns. */
  texts(statement: Statement, values: readonly Parameter[]): Promise<(string | null)[][]>;
  /** Runs `work` in one transaction; inside a transaction, in the same. */
  transaction<T>(work: (session: Session) => Promise<T>): Promise<T>;
}

/** A session that takes a client of the pool for each statement or transaction. */
export function pooledSession(tenants: pg.Pool, connectionId: string): Session {
  const send = (statement: Statement, values: readonly Parameter[], describe: boolean) =>
    withClient(
      tenants,
      (client) => client.query(new ScopedStatement(connectionId, statement, values, describe)).answer,
    );
  return {
    run: async <Row>(text: string, values: readonly Parameter[] = []) =>
      objects<Row>(await send(fixedStatement(text), values, true)),
    runBulk: async <Row>(text: string, values: readonly Parameter[] = []) =>
      objects<Row>(await send(bulkStatement(text), values, true)),
    texts: async (statement, values) => (await send(statement, values, false)).rows,
    transaction: (work) => withClient(tenants, (client) => transact(client, connectionId, work)),
  };
}

async function transact<T>(client: pg.PoolClient, connectionId: string, work: (session: Session) => Promise<T>) {
  // One simple query, so that the scope costs no round trip of its own; a scope's id is checked to be a UUID.
  await client.query(`begin; select set_config('app.connection_id', '${connectionId}', true)`);
  try {
    const result = await work(clientSession(client));
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback').catch((failure: Error) => client.emit('error', failure));
    throw error;
  }
}

function clientSession(client: pg.PoolClient): Session {
  const send = (statement: Statement, values: readonly Parameter[], describe: boolean) =>
    client.query(new ScopedStatement(null, statement, values, describe)).answer;
  const session: Session = {
    run: async <Row>(text: string, values: readonly Parameter[] = []) =>
      objects<Row>(await send(fixedStatement(text), values, true)),
    runBulk: async <Row>(text: string, values: readonly Parameter[] = []) =>
      objects<Row>(await send(bulkStatement(text), values, true)),
    texts: async (statement, values) => (await send(statement, values, false)).rows,
    transaction: (work) => work(session),
  };
  return session;
}

/** Runs `work` with a client of the pool. A client whose connection broke is discarded. */
export async function withClient<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect().catch((error: unknown) => {
    throw asUnavailable(error);
  });
  try {
    const result = await work(client);
    client.release();
    return result;
  } catch (error) {
    const reported = asUnavailable(error);
    client.release(reported !== error);
    throw asRemoved(reported);
  }
}

function objects<Row>({ rows, fields }: Answer): Row[] {
  const columns = fields.map(({ name, dataTypeID }) => ({ name, parse: parserOf(dataTypeID) }));
  return rows.map((row) => {
    const made: Record<string, unknown> = {};
    columns.forEach(({ name, parse }, index) => {
      const text = row[index] ?? null;
      made[name] = text === null ? null : parse(text);
    });
    return made as Row;
  });
}
