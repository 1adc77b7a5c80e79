import type pg from 'pg';
import type { Parameter } from './parameter.ts';
import { type Part, partOf, sendTogether, type Wire } from './send-together.ts';
import { bindConnection, type Reading, type Statement, type StatementResult, spendBudget } from './statement.ts';

/**
 * Runs a statement, after those that precede it, bound to one connection of a customer, in one round trip.
 *
 * `set_config(…, true)` and the statements are sent together and followed by a single Sync. PostgreSQL runs everything up to a
 * Sync in one implicit transaction, so the setting applies to them and ends with them. With `connectionId` null the
 * setting is left out, because the current transaction has already made it.
 *
 * Implements what `client.query()` expects of a query object.
 */
export class ScopedStatement {
  /** In the order in which they run. */
  readonly #parts: readonly Part[];
  readonly #before: readonly Part[];
  readonly #main: Part;
  readonly #reading: Reading;
  readonly #result: StatementResult = { rows: [], fields: [], before: null };
  readonly #settled = Promise.withResolvers<StatementResult>();
  /** Parts whose results have arrived. */
  #ended = 0;

  constructor(connectionId: string | null, statement: Statement, values: readonly Parameter[], reading: Reading) {
    const scope = connectionId === null ? undefined : partOf({ statement: bindConnection, values: [connectionId] });
    this.#before = (reading.before ?? []).map(partOf);
    this.#main = partOf({ statement, values });
    this.#parts = [...(scope ? [scope] : []), ...this.#before, this.#main];
    this.#reading = reading;
  }

  /** When a statement has been parsed, the client records it as prepared under this name. */
  get name(): string {
    return this.#current.statement.name;
  }

  get text(): string {
    return this.#current.statement.text;
  }

  /** The part that the next message belongs to. */
  get #current(): Part {
    return this.#parts[this.#ended] ?? this.#main;
  }

  /** The rows, once the implicit transaction has ended. */
  get result(): Promise<StatementResult> {
    return this.#settled.promise;
  }

  submit(connection: pg.Connection): void {
    sendTogether(connection as unknown as Wire, this.#parts, this.#reading.describe ? this.#main : undefined);
  }

  handleRowDescription(message: { fields: pg.FieldDef[] }): void {
    this.#result.fields.push(...message.fields);
  }

  handleDataRow({ fields, length }: { fields: (string | null)[]; length: number }): void {
    const part = this.#current;
    if (this.#before.includes(part)) this.#result.before ??= fields[0] ?? null;
    const { rows } = this.#result;
    if (part === this.#main && spendBudget(this.#reading.budget, length, rows.length)) rows.push(fields);
  }

  handleCommandComplete(): void {
    this.#ended += 1;
  }

  handleReadyForQuery(): void {
    this.#settled.resolve(this.#result);
  }

  handleError(error: Error): void {
    this.#settled.reject(error);
  }
}
