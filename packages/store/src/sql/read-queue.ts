import type pg from 'pg';
import { type DocumentRead, DocumentReads, PendingRead, type ReadResult } from './document-reads.ts';
import { asUnavailable } from './failures.ts';
import type { UseClient } from './with-client.ts';

/**
 * Maximum number of reads in one round trip. With four of them, a list takes a fifth less processor time, in this process and in
 * PostgreSQL; more than four gain little.
 */
const MOST = 4;

/** Milliseconds above which a read is sent alone the next time, so that others do not wait for it. */
const LONG_MS = 100;

/** Number of reads that are remembered as long. */
const REMEMBERED = 1000;

/**
 * The reads that wait for a database client, by owner. A client that becomes free takes several of them in one round trip. A read
 * that finds a free client is sent immediately and alone: none waits in order to be sent together.
 */
export class ReadQueues {
  readonly #useOf: (owner: string) => UseClient;
  /** In the order of their arrival. Each read has requested a client, which it does not need if another one takes it. */
  readonly #waiting = new Map<string, Set<PendingRead>>();
  /** Statements that took long for a connection, the latest ones last. */
  readonly #long = new Set<string>();

  constructor(useOf: (owner: string) => UseClient) {
    this.#useOf = useOf;
  }

  /** Runs a read. Throws SERVICE_UNAVAILABLE if it waits too long for a client, or if the database is unavailable. */
  async run(owner: string, read: DocumentRead): Promise<ReadResult> {
    const pending = new PendingRead(read);
    if (this.#long.has(keyOf(read))) this.#sendAlone(owner, pending);
    else this.#enqueue(owner, pending);
    try {
      const result = await pending.result;
      this.#remember(keyOf(read), result.ms > LONG_MS);
      return result;
    } catch (error) {
      throw asUnavailable(error);
    }
  }

  #sendAlone(owner: string, pending: PendingRead): void {
    const sent = this.#useOf(owner)((client) => sendReads(client, [pending]));
    sent.catch((error: unknown) => pending.fail(error));
  }

  #enqueue(owner: string, pending: PendingRead): void {
    const waiting = this.#waiting.get(owner) ?? new Set();
    this.#waiting.set(owner, waiting.add(pending));
    const sent = this.#useOf(owner)((client) => sendReads(client, this.#next(owner)));
    sent.catch((error: unknown) => {
      if (this.#take(owner, pending)) pending.fail(error);
    });
  }

  #next(owner: string): PendingRead[] {
    const next: PendingRead[] = [];
    for (const pending of this.#waiting.get(owner) ?? []) {
      this.#take(owner, pending);
      if (next.push(pending) === MOST) break;
    }
    return next;
  }

  /** Whether the read was still waiting. */
  #take(owner: string, pending: PendingRead): boolean {
    const waiting = this.#waiting.get(owner);
    const isTaken = waiting?.delete(pending) ?? false;
    if (waiting?.size === 0) this.#waiting.delete(owner);
    return isTaken;
  }

  #remember(key: string, isLong: boolean): void {
    this.#long.delete(key);
    if (!isLong) return;
    this.#long.add(key);
    const [oldest] = this.#long;
    if (this.#long.size > REMEMBERED && oldest !== undefined) this.#long.delete(oldest);
  }
}

/** Sends reads in one round trip, and those that were skipped because another one failed in further ones. */
export async function sendReads(client: pg.ClientBase, reads: readonly PendingRead[]): Promise<void> {
  for (let left = reads; left.length > 0; ) left = await client.query(new DocumentReads(left)).rest;
}

function keyOf({ connectionId, statement }: DocumentRead): string {
  return `${connectionId} ${statement.statement.name}`;
}
