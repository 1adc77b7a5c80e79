import { SystemError } from '../system-error.ts';
import type { TrytonSession } from './session.ts';
import type { Role } from './stream-options.ts';
import type { Wire } from './wire.ts';

/** Finds the records that values refer to by something else than their id. */
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

  /** The category that gives a party the role; made when there is none yet. */
  async categoryOf(role: Role): Promise<number> {
    const model = 'party.category';
    const domain: Wire[] = [['name', 'in', role.categories]];
    const [existing] = await this.#ids(model, domain);
    if (existing !== undefined) return existing;
    // As it is looked up first, a category whose creation got no answer is found the next time: no `changes` here.
    const created = await this.#session.call(model, 'create', [[{ name: role.categories[0] ?? '' }]]);
    const [id] = Array.isArray(created) ? created : [];
    if (typeof id !== 'number') throw new SystemError('invalid', 'Tryton created a category without an id');
    return id;
  }

  async #ids(model: string, domain: readonly Wire[]): Promise<number[]> {
    const ids = await this.#session.call(model, 'search', [domain, 0, 2, [['id', 'ASC']]]);
    return Array.isArray(ids) ? ids.map(Number) : [];
  }
}
