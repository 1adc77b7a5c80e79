import type { PlatformOptions } from './options.ts';
import type { Schemas } from './schemas.ts';
import type { TrytonSession } from './tryton-session.ts';
import { isWireObject, type Wire } from './wire.ts';

/** The buttons of this database's models, requested once each. The platform may name them differently, see `otherNames`. */
export class ButtonNames {
  readonly #session: TrytonSession;
  readonly #schemas: Schemas;
  readonly #otherNames: NonNullable<PlatformOptions['otherNames']>;
  readonly #known = new Map<string, Promise<ReadonlyMap<string, string>>>();

  constructor(session: TrytonSession, schemas: Schemas, otherNames: PlatformOptions['otherNames'] = {}) {
    this.#session = session;
    this.#schemas = schemas;
    this.#otherNames = otherNames;
  }

  /** The buttons of a model by the names that the platform uses, each with its name in this database. */
  of(model: string): Promise<ReadonlyMap<string, string>> {
    const known = this.#known.get(model);
    if (known) return known;
    const asked = this.#ask(model).catch((error: unknown) => {
      this.#known.delete(model);
      throw error;
    });
    this.#known.set(model, asked);
    return asked;
  }

  /** The name of a button in this database. Only buttons that have other names are looked up. */
  async nameOf(model: string, button: string): Promise<string> {
    return Object.hasOwn(this.#otherNamesOf(model), button) ? ((await this.of(model)).get(button) ?? button) : button;
  }

  #otherNamesOf(model: string): Readonly<Record<string, string>> {
    return (Object.hasOwn(this.#otherNames, model) && this.#otherNames[model]?.buttons) || {};
  }

  async #ask(model: string): Promise<ReadonlyMap<string, string>> {
    // In some series a button names its model by a relation, in others by its name.
    const isRelation = Boolean((await this.#schemas.of('ir.model.button')).get('model')?.relation);
    const domain: Wire[] = [[isRelation ? 'model.model' : 'model', '=', model]];
    const rows = await this.#session.call('ir.model.button', 'search_read', [domain, 0, null, null, ['name']]);
    const listed = (Array.isArray(rows) ? rows : []).filter(isWireObject).map(({ name }) => String(name));
    const found = new Map(listed.map((name) => [name, name]));
    for (const [name, other] of Object.entries(this.#otherNamesOf(model)))
      if (!found.has(name) && found.has(other)) found.set(name, other);
    return found;
  }
}
