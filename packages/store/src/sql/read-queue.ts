import { setImmediate as endOfTurn } from 'node:timers/promises';
import type pg from 'pg';
import { type DocumentRead, PendingRead, type ReadResult, sendReads } from './document-reads.ts';
import { asUnavailable } from './failures.ts';
import { Paces } from './paces.ts';
import type { InSlot } from './slots.ts';
import type { UseClient } from './with-client.ts';

/** Maximum number of reads in one round trip. More gain little, and each waits for the others. See decision 112. */
const MOST_TOGETHER = 8;

/**
 * The reads that have not been sent, by owner. A slot takes several of them, which go to the database in one round trip: those that
 * waited for the slot, and those that arrived in the same turn of the event loop. No read waits for others to arrive.
 */
export class ReadQueues {
  readonly #inSlot: InSlot;
  readonly #use: UseClient;
  /** In the order of their arrival. Each read has requested a slot, which it does not need if another one takes it along. */
  readonly #waiting = new Map<string, Set<PendingRead>>();
  readonly #paces = new Paces();

  constructor(inSlot: InSlot, use: UseClient) {
    this.#inSlot = inSlot;
    this.#use = use;
  }

  /** Runs a read. Throws SERVICE_UNAVAILABLE if it waits too long for a slot or client, or if the database is unavailable. */
  async run(owner: string, read: DocumentRead): Promise<ReadResult> {
    const pending = new PendingRead(read);
    if (this.#paces.isQuick(keyOf(read))) this.#enqueue(owner, pending);
    else this.#sendAlone(owner, pending);
    return pending.result.catch((error: unknown) => {
      throw asUnavailable(error);
    });
  }

  #sendAlone(owner: string, pending: PendingRead): void {
    this.#inSlot(owner, () => this.#send([pending])).catch((error: unknown) => pending.fail(error));
  }

  #enqueue(owner: string, pending: PendingRead): void {
    const waiting = this.#waiting.get(owner) ?? new Set();
    this.#waiting.set(owner, waiting.add(pending));
    const sent = this.#inSlot(owner, async () => {
      await endOfTurn();
      await this.#send(this.#next(owner));
    });
    sent.catch((error: unknown) => {
      if (this.#take(owner, pending)) pending.fail(error);
    });
  }

  /** Sends reads that are no longer waiting. Never rejects: their results do. */
  async #send(reads: readonly PendingRead[]): Promise<void> {
    if (reads.length === 0) return;
    try {
      await this.#use((client) => this.#measured(client, reads));
    } catch (error) {
      // Does nothing to those that have settled.
      for (const pending of reads) pending.fail(error);
    }
  }

  async #measured(client: pg.ClientBase, reads: readonly PendingRead[]): Promise<void> {
    const began = performance.now();
    await sendReads(client, reads);
    this.#paces.note(
      reads.map(({ read }) => keyOf(read)),
      performance.now() - began,
    );
  }

  #next(owner: string): PendingRead[] {
    const next: PendingRead[] = [];
    for (const pending of this.#waiting.get(owner) ?? []) {
      this.#take(owner, pending);
      if (next.push(pending) === MOST_TOGETHER) break;
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
}

function keyOf({ connectionId, statement }: DocumentRead): string {
  return `${connectionId} ${statement.statement.name}`;
}
