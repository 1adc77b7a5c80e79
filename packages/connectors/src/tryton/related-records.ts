import { SystemError } from '../system-error.ts';
import type { TrytonSession } from './tryton-session.ts';
import type { Wire } from './wire.ts';

/** Finds the records that values refer to by something other than their id. */
export class RelatedRecords {
  readonly #session: TrytonSession;

  constructor(session: TrytonSession) {
    this.#session = session;
  }

  /**
   * The only record with these values, such as the payment term named "Net 30".
   *
   * @throws {SystemError} `rejected` when there is none, or more than one
   */
  async only(model: string, label: string, values: Readonly<Record<string, Wire>>): Promise<number> {
    const ids = await this.#ids(
      model,
      Object.entries(values).map(([field, value]) => [field, '=', value]),
    );
    const named = Object.values(values).map(String).join(', ');
    const [id] = ids;
    if (id === undefined) throw new SystemError('rejected', `${label}: Tryton has no record "${named}"`);
    if (ids.length > 1) throw new SystemError('rejected', `${label}: Tryton has several records "${named}"`);
    return id;
  }

  /** A record whose field has one of the values; one with the first value is created if there is none. */
  async firstOrCreated(model: string, field: string, values: readonly string[]): Promise<number> {
    const [existing] = await this.#ids(model, [[field, 'in', values]]);
    if (existing !== undefined) return existing;
    // No `changes`: if the create gets no response, the lookup of the next attempt finds the record.
    const created = await this.#session.call(model, 'create', [[{ [field]: values[0] ?? '' }]]);
    const [id] = Array.isArray(created) ? created : [];
    if (typeof id !== 'number') throw new SystemError('invalid', `Tryton created a record of ${model} without an id`);
    return id;
  }

  async #ids(model: string, domain: readonly Wire[]): Promise<number[]> {
    const ids = await this.#session.call(model, 'search', [domain, 0, 2, [['id', 'ASC']]]);
    return Array.isArray(ids) ? ids.map(Number) : [];
  }
}
