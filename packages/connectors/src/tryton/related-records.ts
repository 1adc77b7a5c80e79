import { SystemError } from '../system-error.ts';
import type { ModelOptions } from './options.ts';
import type { Schemas } from './schemas.ts';
import type { TrytonSession } from './tryton-session.ts';
import type { WireValues } from './values-encoder.ts';
import type { Wire } from './wire.ts';

/** Finds the records that values refer to by something other than their id. */
export class RelatedRecords {
  readonly #session: TrytonSession;
  readonly #schemas: Schemas;

  constructor(session: TrytonSession, schemas: Schemas) {
    this.#session = session;
    this.#schemas = schemas;
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

  /**
   * The records that `defaults` of the stream name for relations that the values of a new record lack. If several records match,
   * none is used, because the client must choose.
   */
  async defaults({ model, defaults = {} }: ModelOptions, values: WireValues): Promise<WireValues> {
    const found: WireValues = {};
    for (const [name, { with: wanted }] of Object.entries(defaults)) {
      if (Object.hasOwn(values, name)) continue;
      const relation = (await this.#schemas.of(model)).get(name)?.relation;
      if (!relation) continue;
      const domain: Wire[] = Object.entries(wanted).map(([field, value]) => [field, '=', value as Wire]);
      const [id, ...others] = await this.#ids(relation, domain);
      if (id !== undefined && others.length === 0) found[name] = id;
    }
    return found;
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
