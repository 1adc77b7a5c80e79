import pg from 'pg';
import { isUnreachable } from './failures.ts';
import type { JoinedDocuments } from './joined-documents.ts';
import type { RowSink, RowTap } from './row-tap.ts';
import { type Part, partOf, sendTogether, type Wire } from './send-together.ts';
import { type BoundStatement, type ByteBudget, bindConnection, spendBudget } from './statement.ts';

/** A statement that only reads, and the documents that it returns. */
export interface DocumentRead {
  /** Null inside a transaction, which has set the connection. */
  readonly connectionId: string | null;
  /** Runs before the statement. Only the first value of its result is kept. */
  readonly before: BoundStatement;
  /** Its first column is the document. */
  readonly statement: BoundStatement;
  /** Receives the documents. */
  readonly documents: JoinedDocuments;
  /** The first document is kept; later ones that exceed the budget are discarded as they arrive. */
  readonly budget?: ByteBudget | undefined;
}

/** What a read has returned. */
export interface ReadResult {
  readonly documents: JoinedDocuments;
  /** The first value of the preceding statement; null if that returned no row. */
  readonly before: string | null;
}

/** A read whose result has not arrived yet. */
export class PendingRead {
  readonly read: DocumentRead;
  readonly #settled = Promise.withResolvers<ReadResult>();

  constructor(read: DocumentRead) {
    this.read = read;
  }

  get result(): Promise<ReadResult> {
    return this.#settled.promise;
  }

  complete(before: string | null): void {
    this.#settled.resolve({ documents: this.read.documents, before });
  }

  fail(error: unknown): void {
    this.#settled.reject(error);
  }
}

/** A statement of a round trip, and what its result is. */
interface Step {
  readonly part: Part;
  readonly kind: 'scope' | 'before' | 'documents';
  /** Index of the read that it belongs to. */
  readonly index: number;
}

/**
 * Runs reads of several requests in one round trip, on a `TappedClient`: one write, one wait, one implicit transaction.
 *
 * Each read is preceded by the setting of its connection, unless the read before it has the same one. Reads of the same connection
 * also share what runs before them. If a read fails, PostgreSQL skips those that follow: `rest` contains them.
 *
 * Implements what `client.query()` expects of a query object.
 */
export class DocumentReads implements RowSink {
  readonly #reads: readonly PendingRead[];
  /** In the order in which they run. */
  readonly #steps: readonly Step[];
  readonly #rest = Promise.withResolvers<PendingRead[]>();
  /** Steps whose results have arrived. */
  #ended = 0;
  /** The first value of the last preceding statement. */
  #before: string | null = null;
  #tap: RowTap | undefined;

  constructor(reads: readonly PendingRead[]) {
    this.#reads = reads;
    this.#steps = reads.flatMap(({ read }, index) => stepsOf(read, reads[index - 1]?.read, index));
  }

  /**
   * Reads that did not run because another one failed. Rejects if the database connection is lost: those that had not ended have
   * failed then.
   */
  get rest(): Promise<PendingRead[]> {
    return this.#rest.promise;
  }

  /** When a statement has been parsed, the client records it as prepared under this name. */
  get name(): string {
    return this.#current?.part.statement.name ?? '';
  }

  get text(): string {
    return this.#current?.part.statement.text ?? '';
  }

  /** The step that the next message belongs to; undefined after the last one. */
  get #current(): Step | undefined {
    return this.#steps[this.#ended];
  }

  submit(connection: pg.Connection): Error | undefined {
    const wire = connection as unknown as Wire;
    if (!wire.rows) return new Error('Only a TappedClient can join documents.');
    this.#tap = wire.rows;
    wire.rows.sink = this;
    sendTogether(
      wire,
      this.#steps.map(({ part }) => part),
    );
    return undefined;
  }

  /** pg calls it for rows that arrive after `query_timeout`, which the address of the database can contain. */
  handleDataRow(): void {}

  addRow(bytes: Buffer, start: number, end: number): void {
    const step = this.#current;
    if (step?.kind === 'before') this.#before ??= textAt(bytes, start);
    if (step?.kind !== 'documents' || !this.#tap) return;
    const { documents, budget } = this.#readOf(step).read;
    if (spendBudget(budget, end - start, documents.count)) documents.addRow(this.#tap.memory, bytes, start, end);
  }

  handleCommandComplete(): void {
    const step = this.#current;
    this.#ended += 1;
    if (this.#current?.kind === 'before') this.#before = null;
    if (step?.kind === 'documents') this.#complete(this.#readOf(step));
  }

  handleReadyForQuery(): void {
    this.#untapRows();
    this.#rest.resolve([]);
  }

  handleError(error: Error): void {
    this.#untapRows();
    const [failed, ...rest] = this.#reads.slice(this.#current?.index ?? this.#reads.length);
    failed?.fail(error);
    if (error instanceof pg.DatabaseError && !isUnreachable(error)) {
      this.#rest.resolve(rest);
      return;
    }
    for (const read of rest) read.fail(error);
    this.#rest.reject(error);
  }

  /** The memory of the client is used again by the next read. A read has nothing to commit, so it need not wait for the end. */
  #complete(pending: PendingRead): void {
    if (this.#tap) pending.read.documents.end(this.#tap.memory);
    pending.complete(this.#before);
  }

  #readOf({ index }: Step): PendingRead {
    return this.#reads[index] as PendingRead;
  }

  /** Does nothing if another query already receives the rows: pg reports an error late if its clients have a timeout. */
  #untapRows(): void {
    if (this.#tap?.sink !== this) return;
    this.#tap.sink = undefined;
    this.#tap.memory.shrink();
  }
}

/** Sends reads in one round trip, and those that were skipped because another one failed in further ones. */
export async function sendReads(client: pg.ClientBase, reads: readonly PendingRead[]): Promise<void> {
  for (let left = reads; left.length > 0; ) left = await client.query(new DocumentReads(left)).rest;
}

function stepsOf(read: DocumentRead, previous: DocumentRead | undefined, index: number): Step[] {
  const steps: Step[] = [];
  const isSameScope = previous !== undefined && previous.connectionId === read.connectionId;
  if (!isSameScope && read.connectionId !== null)
    steps.push({ part: partOf({ statement: bindConnection, values: [read.connectionId] }), kind: 'scope', index });
  if (!isSameScope || !isSame(previous.before, read.before))
    steps.push({ part: partOf(read.before), kind: 'before', index });
  steps.push({ part: partOf(read.statement), kind: 'documents', index });
  return steps;
}

function isSame(one: BoundStatement, other: BoundStatement): boolean {
  const { length } = one.values;
  if (one.statement !== other.statement || other.values.length !== length) return false;
  return one.values.every((value, index) => value === other.values[index]);
}

/** The first column of the row at a position, as text. */
function textAt(bytes: Buffer, start: number): string | null {
  const length = bytes.readInt32BE(start + 2);
  return length < 0 ? null : bytes.toString('utf8', start + 6, start + 6 + length);
}
