import type { Completion } from './options.ts';
import type { ModelSchema, Schemas } from './schemas.ts';
import type { TrytonSession } from './tryton-session.ts';
import type { WireValues } from './values-encoder.ts';
import { isWireObject, type Wire, type WireObject } from './wire.ts';

/**
 * Fills in fields that the request omits, as Tryton's own client does while a user types: a price from a price list, taxes, an
 * address. Without this, records created over RPC lack these fields.
 */
export class Completer {
  readonly #session: TrytonSession;
  readonly #schemas: Schemas;

  constructor(session: TrytonSession, schemas: Schemas) {
    this.#session = session;
    this.#schemas = schemas;
  }

  /** The values of a new record of the model, completed with what Tryton fills in. Sent values are not changed. */
  async complete(model: string, completions: readonly Completion[], values: WireValues): Promise<WireValues> {
    let completed = values;
    for (const completion of completions) {
      if (completion.each === undefined) completed = await this.#fill(model, completion, completed, {});
      else completed = await this.#fillList(model, completion, completed, await this.#defaultsOf(model));
    }
    return completed;
  }

  /** The changes to the record `id`. Records that they add to its lists are completed with what Tryton fills in. */
  async completeChange(
    model: string,
    completions: readonly Completion[],
    values: WireValues,
    id: number,
  ): Promise<WireValues> {
    const lists = completions.filter(({ each }) => each !== undefined && Array.isArray(values[each]));
    if (lists.length === 0) return values;
    const now = await this.#session.call(model, 'read', [[id], await this.#singles(model)]);
    const [owner] = Array.isArray(now) ? now : [];
    let completed = values;
    for (const list of lists)
      completed = await this.#fillList(model, list, completed, isWireObject(owner) ? owner : {});
    return completed;
  }

  /** `owner` is the record that the list belongs to, without the values. */
  async #fillList(
    model: string,
    { each, parent, ...completion }: Completion,
    values: WireValues,
    owner: WireValues,
  ): Promise<WireValues> {
    const child = (await this.#schemas.of(model)).get(each ?? '')?.relation;
    const steps = values[each ?? ''];
    if (!child || !Array.isArray(steps)) return values;
    const surroundings = parent === undefined ? {} : { [parent]: { ...owner, ...scalars(values) } };
    const fillAll = (records: readonly Wire[]) =>
      Promise.all(records.map((record) => this.#fill(child, completion, record as WireValues, surroundings)));
    const filled = steps.map(async (step) =>
      Array.isArray(step) && step[0] === 'create' && Array.isArray(step[1]) ? ['create', await fillAll(step[1])] : step,
    );
    return { ...values, [each ?? '']: await Promise.all(filled) };
  }

  async #fill(
    model: string,
    { on, with: computed = [], lists = [] }: Completion,
    values: WireValues,
    around: WireValues,
  ): Promise<WireValues> {
    const changed = on.filter((name) => (values[name] ?? null) !== null);
    if (changed.length === 0) return values;
    const schema = await this.#schemas.of(model);
    const base = { ...(await this.#defaultsOf(model)), ...scalars(values), ...around };
    const response = await this.#session.call(model, 'on_change', [base, changed]);
    // Tryton 6.0 returns a list, later series the object itself.
    const [proposed] = Array.isArray(response) ? response : [response];
    const changes = isWireObject(proposed) ? proposed : {};
    const results = await this.#compute(model, computed, { ...base, ...plainChanges(changes), ...values });
    const missing: [string, Wire][] = [];
    for (const [name, value] of Object.entries({ ...changes, ...results })) {
      const field = schema.get(name);
      if (!field || field.readonly || Object.hasOwn(values, name) || value === null) continue;
      const owned = lists.includes(name) ? await this.#schemas.of(field.relation ?? '') : undefined;
      missing.push(...settable(name, field.type, value, owned));
    }
    return { ...Object.fromEntries(missing), ...values };
  }

  /** The fields that Tryton computes from the values. Which ones it can compute differs between series. */
  async #compute(model: string, wanted: readonly string[], values: WireValues): Promise<WireValues> {
    const schema = await this.#schemas.of(model);
    const names = wanted.filter((name) => schema.get(name)?.isComputed);
    if (names.length === 0) return {};
    const results = await this.#session.call(model, 'on_change_with', [scalars(values), names]);
    return isWireObject(results) ? results : {};
  }

  async #defaultsOf(model: string): Promise<WireValues> {
    const defaults = await this.#session.call(model, 'default_get', [await this.#singles(model), false]);
    return isWireObject(defaults) ? defaults : {};
  }

  /** Names of the fields with a single value. */
  async #singles(model: string): Promise<string[]> {
    return [...(await this.#schemas.of(model))].filter(([, { type }]) => !type.endsWith('2many')).map(([name]) => name);
  }
}

/** Values without lists, which `on_change` does not depend on here; in a new record, lists are empty. */
function scalars(values: WireValues): WireValues {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => !Array.isArray(value)));
}

/**
 * A proposed value as `create` takes it: records of a many2many are added; owned records are created if the fields of their model
 * are given (`owned`), otherwise their proposals are ignored.
 */
function settable(name: string, type: string, value: Wire, owned: ModelSchema | undefined): [string, Wire][] {
  if (!type.endsWith('2many')) return [[name, value]];
  const proposed = isWireObject(value) && Array.isArray(value.add) ? value.add : [];
  const records = proposed.flatMap((step) => (Array.isArray(step) && isWireObject(step[1]) ? [step[1]] : []));
  if (records.length === 0) return [];
  if (type === 'many2many') return [[name, [['add', records.map(({ id }) => id ?? null)]]]];
  return owned ? [[name, [['create', records.map((record) => writable(record, owned))]]]] : [];
}

/** The values of a proposed record that a create can contain. */
function writable({ id: _, ...values }: WireObject, schema: ModelSchema): WireValues {
  return Object.fromEntries(Object.entries(values).filter(([name]) => schema.get(name)?.readonly === false));
}

/** Changes of single values, without the names of relations, which Tryton adds as `party.`. */
function plainChanges(changes: WireValues): WireValues {
  const isPlain = ([name, value]: [string, Wire]) => !name.endsWith('.') && !(isWireObject(value) && value.add);
  return Object.fromEntries(Object.entries(changes).filter(isPlain));
}
