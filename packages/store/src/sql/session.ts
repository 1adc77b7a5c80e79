import type pg from 'pg';
import { type DocumentRead, PendingRead, type ReadResult, sendReads } from './document-reads.ts';
import { isShardReplaced } from './failures.ts';
import type { OwnerClients } from './fair-clients.ts';
import { JoinedDocuments } from './joined-documents.ts';
import { COMMIT_JOINTLY } from './joint-commits.ts';
import type { Parameter } from './parameter.ts';
import { ScopedStatement } from './scoped-statement.ts';
import {
  type BoundStatement,
  type ByteBudget,
  bulkStatement,
  fixedStatement,
  type Reading,
  type Statement,
  type StatementResult,
} from './statement.ts';
import { TENANT_ROLE } from './tenant-role.ts';
import { parserOf } from './value-parser.ts';
import type { UseClient } from './with-client.ts';

/** Access to the data of only one connection. */
export interface Session {
  /** Runs a fixed statement and returns its rows as objects. A budget limits them as in `texts`. */
  run<Row>(text: string, values?: readonly Parameter[], budget?: ByteBudget): Promise<Row[]>;
  /** The same for a statement on many rows, which is planned each time. */
  runBulk<Row>(text: string, values?: readonly Parameter[], budget?: ByteBudget): Promise<Row[]>;
  /** The same, with the rows as text and the columns. */
  result(text: string, values?: readonly Parameter[], budget?: ByteBudget): Promise<StatementResult>;
  /**
   * Runs a statement and returns its rows as text, in the order of its columns; with a budget, only the first row and those
   * within the budget.
   */
  texts(statement: Statement, values: readonly Parameter[], budget?: ByteBudget): Promise<(string | null)[][]>;
  /**
   * The same, preceded by another statement in the same round trip. Also returns the first value of that statement, or null if
   * it returned no row.
   */
  textsAfter(
    before: BoundStatement,
    next: BoundStatement,
    budget?: ByteBudget,
  ): Promise<{ readonly rows: (string | null)[][]; readonly before: string | null }>;
  /**
   * The same, with up to `most` documents of the first column joined. Both statements must only read: outside a transaction, they
   * can be sent together with those of other requests, which share the first one if they have the same.
   */
  documentsAfter(
    before: BoundStatement,
    next: BoundStatement,
    limits: { readonly most: number; readonly budget?: ByteBudget | undefined },
  ): Promise<{ readonly documents: JoinedDocuments; readonly before: string | null }>;
  /** Runs `work` in one transaction; inside a transaction, joins it. */
  transaction<T>(work: (session: Session) => Promise<T>): Promise<T>;
  /** Runs statements of the transaction in one round trip, without returning their rows. Throws outside a transaction. */
  runTogether(statements: readonly BoundStatement[]): Promise<void>;
  /**
   * Runs a statement of the transaction as the owner, on a table that tenants cannot access, and returns its rows. Throws outside a
   * transaction.
   */
  runAsOwner<Row extends pg.QueryResultRow>(text: string, values: readonly (string | null)[]): Promise<Row[]>;
}

/** A session that takes a client of the pool for each statement or transaction. */
export function pooledSession({ use, read }: OwnerClients, connectionId: string, isDistributed: boolean): Session {
  const direct: Sender = {
    send: (statement, values, reading) =>
      use((client) => client.query(new ScopedStatement(connectionId, statement, values, reading)).result),
    read: (given) => read({ ...given, connectionId }),
  };
  const begin = isDistributed ? beginJointly : beginScoped;
  return {
    ...statementsBy(isDistributed ? inTransactions(use, connectionId) : direct),
    transaction: (work) =>
      use((client) =>
        transact(
          client,
          () => begin(client, connectionId),
          () => work(clientSession(client)),
        ),
      ),
    runTogether: () => Promise.reject(new Error('Only a transaction runs statements together.')),
    runAsOwner: () => Promise.reject(new Error('Only a transaction runs statements as the owner.')),
  };
}

/** How a session reaches the database. */
interface Sender {
  send(statement: Statement, values: readonly Parameter[], reading: Reading): Promise<StatementResult>;
  read(given: Omit<DocumentRead, 'connectionId'>): Promise<ReadResult>;
}

function statementsBy({ send, read }: Sender): Omit<Session, 'transaction' | 'runTogether' | 'runAsOwner'> {
  return {
    run: async <Row>(text: string, values: readonly Parameter[] = [], budget?: ByteBudget) =>
      objects<Row>(await send(fixedStatement(text), values, { describe: true, budget })),
    runBulk: async <Row>(text: string, values: readonly Parameter[] = [], budget?: ByteBudget) =>
      objects<Row>(await send(bulkStatement(text), values, { describe: true, budget })),
    result: (text, values = [], budget) => send(bulkStatement(text), values, { describe: true, budget }),
    texts: async (statement, values, budget) => (await send(statement, values, { budget })).rows,
    textsAfter: (before, { statement, values }, budget) => send(statement, values, { budget, before: [before] }),
    documentsAfter: (before, statement, { most, budget }) =>
      read({ before, statement, documents: new JoinedDocuments(most), budget }),
  };
}

/** The statements of a transaction that is in progress. */
function inTransactionOf(client: pg.ClientBase): Sender {
  return {
    send: (statement, values, reading) => client.query(new ScopedStatement(null, statement, values, reading)).result,
    async read(given) {
      const pending = new PendingRead({ ...given, connectionId: null });
      const [result] = await Promise.all([pending.result, sendReads(client, [pending])]);
      return result;
    },
  };
}

/**
 * In a distributed database, workers receive the setting only in a transaction. A statement that fails because its connection is
 * moved to other shards is repeated: it has changed nothing, and the next attempt finds the new shards.
 */
function inTransactions(use: UseClient, connectionId: string): Sender {
  const alone = <T>(work: (sender: Sender) => Promise<T>) =>
    use(async (client) => {
      const attempt = () =>
        transact(
          client,
          () => beginPropagated(client, connectionId),
          () => work(inTransactionOf(client)),
        );
      return attempt().catch((error: unknown) => (isShardReplaced(error) ? attempt() : Promise.reject(error)));
    });
  return {
    send: (statement, values, reading) => alone(({ send }) => send(statement, values, reading)),
    read: (given) => alone(({ read }) => read(given)),
  };
}

/** One simple query, so that the scope needs no separate round trip. The id of a scope is known to be a UUID. */
async function beginScoped(client: pg.ClientBase, connectionId: string): Promise<void> {
  await client.query(`begin; select set_config('app.connection_id', '${connectionId}', true)`);
}

/** Citus sends the text of `set local` to workers as it is, so it must be a query of its own. */
async function beginPropagated(client: pg.ClientBase, connectionId: string): Promise<void> {
  await client.query('begin');
  await client.query(`set local app.connection_id to '${connectionId}'`);
}

async function beginJointly(client: pg.ClientBase, connectionId: string): Promise<void> {
  await beginPropagated(client, connectionId);
  await client.query(COMMIT_JOINTLY);
}

async function transact<T>(client: pg.PoolClient, begin: () => Promise<void>, work: () => Promise<T>): Promise<T> {
  await begin();
  try {
    const result = await work();
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback').catch((failure: Error) => client.emit('error', failure));
    throw error;
  }
}

function clientSession(client: pg.PoolClient): Session {
  const sender = inTransactionOf(client);
  const session: Session = {
    ...statementsBy(sender),
    transaction: (work) => work(session),
    async runTogether(statements) {
      const last = statements.at(-1);
      if (last) await sender.send(last.statement, last.values, { before: statements.slice(0, -1) });
    },
    async runAsOwner<Row extends pg.QueryResultRow>(text: string, values: readonly (string | null)[]) {
      await client.query('set local role none');
      const { rows } = await client.query<Row>(text, [...values]);
      await client.query(`set local role ${TENANT_ROLE}`);
      return rows;
    },
  };
  return session;
}

function objects<Row>({ rows, fields }: StatementResult): Row[] {
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
