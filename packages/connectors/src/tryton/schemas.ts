import { SystemError } from '../system-error.ts';
import type { TrytonSession } from './tryton-session.ts';
import { isWireObject, type Wire } from './wire.ts';

/** A field as Tryton describes it. */
export interface FieldSchema {
  readonly type: string;
  /** Model that a relation refers to. */
  readonly relation: string | null;
  readonly required: boolean;
  readonly readonly: boolean;
  /** Whether the database stores it, so that it can be searched for and ordered by. */
  readonly isStored: boolean;
  /** Label in the user's language. */
  readonly label: string;
  /** Explanation in the user's language; empty if there is none. */
  readonly help: string;
}

/** Fields of a model by name. */
export type ModelSchema = ReadonlyMap<string, FieldSchema>;

/** The fields of this database's models, requested once each: they depend on version and installed modules. */
export class Schemas {
  readonly #session: TrytonSession;
  readonly #known = new Map<string, Promise<ModelSchema>>();

  constructor(session: TrytonSession) {
    this.#session = session;
  }

  /** The fields of a model; none when the module that contains it is not installed. */
  of(model: string): Promise<ModelSchema> {
    const known = this.#known.get(model);
    if (known) return known;
    const asked = this.#ask(model).catch((error: unknown) => {
      this.#known.delete(model);
      throw error;
    });
    this.#known.set(model, asked);
    return asked;
  }

  /** The dotted paths that lead to a field that exists in this database. */
  async existing(model: string, paths: readonly string[]): Promise<string[]> {
    const found = await Promise.all(paths.map((path) => this.#leads(model, path.split('.'))));
    return paths.filter((_, index) => found[index]);
  }

  async #leads(model: string, [name = '', ...rest]: readonly string[]): Promise<boolean> {
    const field = (await this.of(model)).get(name);
    if (!field) return false;
    if (rest.length === 0) return true;
    return field.relation !== null && this.#leads(field.relation, rest);
  }

  async #ask(model: string): Promise<ModelSchema> {
    try {
      return schemaOf(await this.#session.call(model, 'fields_get', [[], 0]));
    } catch (error) {
      // Tryton reports a model that it does not have as a KeyError.
      if (error instanceof SystemError && error.cause === `'${model}'`) return new Map();
      throw error;
    }
  }
}

function schemaOf(fields: Wire): ModelSchema {
  if (!isWireObject(fields)) throw new SystemError('invalid', 'Tryton describes a model without fields');
  return new Map(
    Object.entries(fields).flatMap(([name, field]) => (isWireObject(field) ? [[name, described(field)]] : [])),
  );
}

function described(field: { readonly [key: string]: Wire }): FieldSchema {
  return {
    type: String(field.type),
    relation: typeof field.relation === 'string' ? field.relation : null,
    required: field.required === true,
    readonly: field.readonly === true,
    isStored: field.sortable === true && field.searchable === true,
    label: String(field.string ?? ''),
    help: String(field.help ?? ''),
  };
}
