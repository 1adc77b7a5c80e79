import { SystemError } from '../system-error.ts';
import type { PlatformOptions } from './options.ts';
import type { TrytonSession } from './tryton-session.ts';
import { isWireObject, type Wire } from './wire.ts';

/** A field as Tryton describes it. */
export interface FieldSchema {
  /** Its name in this database. */
  readonly name: string;
  readonly type: string;
  /** Model that a relation refers to. */
  readonly relation: string | null;
  readonly required: boolean;
  readonly readonly: boolean;
  /** Whether Tryton can compute it from the values of others (`on_change_with`). */
  readonly isComputed: boolean;
  /** Whether Tryton can search by it; not by fields that it computes and has no search for. */
  readonly isSearchable: boolean;
  /** Whether the database stores it, so that it can be searched for and ordered by. */
  readonly isStored: boolean;
  /** Label in the user's language. */
  readonly label: string;
  /** Explanation in the user's language; empty if there is none. */
  readonly help: string;
}

/** Fields of a model by name. */
export type ModelSchema = ReadonlyMap<string, FieldSchema>;

/**
 * The fields of this database's models, requested once each: they depend on series and installed modules. The platform may name
 * fields differently, see `otherNames` in `options.schema.json`.
 */
export class Schemas {
  readonly #session: TrytonSession;
  readonly #otherNames: NonNullable<PlatformOptions['otherNames']>;
  readonly #known = new Map<string, Promise<ModelSchema>>();

  constructor(session: TrytonSession, otherNames: PlatformOptions['otherNames'] = {}) {
    this.#session = session;
    this.#otherNames = otherNames;
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

  /** The fields of a model by the names that the platform uses. */
  async asNamed(model: string): Promise<ModelSchema> {
    const [schema, renamed] = [await this.of(model), await this.renamed(model)];
    if (renamed.size === 0) return schema;
    return new Map(
      [...schema].flatMap(([there, field]) => (renamed.get(there) ?? [there]).map((name) => [name, field])),
    );
  }

  /** The fields of a model that the platform names differently: the name in this database, and those of the platform. */
  async renamed(model: string): Promise<ReadonlyMap<string, readonly string[]>> {
    const { fields } = (Object.hasOwn(this.#otherNames, model) && this.#otherNames[model]) || {};
    if (!fields) return NONE;
    const schema = await this.of(model);
    const only = Object.entries(fields).filter(
      ([name, other]) => schema.has(other) && (name === other || !schema.has(name)),
    );
    return Map.groupBy(
      only.map(([name]) => name),
      (name) => fields[name] ?? name,
    );
  }

  /** The dotted paths of the platform that lead to a field that exists in this database, each with the path there. */
  async existing(model: string, paths: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const found = await Promise.all(paths.map((path) => this.#path(model, path.split('.'))));
    return new Map(paths.flatMap((path, index) => (found[index] ? [[path, found[index].join('.')]] : [])));
  }

  async #path(model: string, [name = '', ...rest]: readonly string[]): Promise<string[] | null> {
    const field = (await this.asNamed(model)).get(name);
    if (!field) return null;
    if (rest.length === 0) return [field.name];
    const below = field.relation === null ? null : await this.#path(field.relation, rest);
    return below && [field.name, ...below];
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

const NONE: ReadonlyMap<string, readonly string[]> = new Map();

function schemaOf(fields: Wire): ModelSchema {
  if (!isWireObject(fields)) throw new SystemError('invalid', 'Tryton describes a model without fields');
  return new Map(
    Object.entries(fields).flatMap(([name, field]) => (isWireObject(field) ? [[name, described(name, field)]] : [])),
  );
}

function described(name: string, field: { readonly [key: string]: Wire }): FieldSchema {
  return {
    name,
    type: String(field.type),
    relation: typeof field.relation === 'string' ? field.relation : null,
    required: field.required === true,
    readonly: field.readonly === true,
    isComputed: Array.isArray(field.on_change_with) && field.on_change_with.length > 0,
    isSearchable: field.searchable === true,
    isStored: field.sortable === true && field.searchable === true,
    label: String(field.string ?? ''),
    help: String(field.help ?? ''),
  };
}
