import type { Platform } from '@unified/connectors';
import { entityOf, type WRITES } from '@unified/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ServedSystem } from './served-system.ts';
import { START_MS } from './stack.ts';
import { nameOf, WriteClient, type WriteRecord } from './write-client.ts';
import {
  actionOf,
  type Effect,
  type MappedWrite,
  mappedWrites,
  operationOf,
  type Recipe,
  type Row,
} from './write-recipe.ts';

/**
 * Defines a test for each write that the mappings of a platform define: the write is requested from the service, its write record
 * ends as succeeded, with no other warnings than expected, and the system shows the effect by its own interface, which it did not
 * show before in any field. A mapped write without a recipe fails with its name, and so does a writable field, of a record or of
 * one of its lines, that no recipe sends.
 */
export function everyMappedWriteIsFound(platform: Platform, serve: () => Promise<ServedSystem>): void {
  let system: ServedSystem;
  let written: Written;
  const mapped = mappedWrites(platform);

  beforeAll(async () => {
    system = await serve();
    written = new Written(system);
  }, START_MS);
  afterAll(() => system?.stop());

  describe.each(mapped)('$name', (write) => {
    test('is carried out by the service, and found by the interface of the system', () => written.prove(write));
  });

  test('no mapped write is left out', async () => {
    const succeeded = await written.client.succeeded();
    const names = mapped.map(({ name }) => name);
    expect({ found: [...written.found].sort(), unrecorded: names.filter((name) => !succeeded.has(name)) }).toEqual({
      found: [...names].sort(),
      unrecorded: [],
    });
  });

  test.each(Object.values(platform.mappings).filter(({ writes }) => writes.size > 0))(
    'every writable field of $entity was sent',
    ({ entity, writable, written: paths }) => {
      const fields = writable.filter((name) => entityOf(entity)?.field[name]?.writable);
      const below = new Set(paths.map(({ field }) => field).filter((field) => field.includes('.')));
      expect([...fields, ...below].filter((name) => !written.sent.has(`${entity}.${name}`))).toEqual([]);
    },
  );
}

/** A record that was written, with its keys in the service and in the system. */
interface Target {
  readonly id: string;
  readonly key: string;
  /** The write that created it; absent if it existed before. */
  readonly writeId?: string;
}

/** The writes of a system that were proven. */
class Written {
  readonly client: WriteClient;
  /** Writes whose effect was found in the system, by the names that their write records give them. */
  readonly found = new Set<string>();
  /** Fields that were sent and not refused: `Vendor.name`, `PurchaseOrder.lines.quantity`. */
  readonly sent = new Set<string>();
  readonly #recipes: ServedSystem['recipes'];

  constructor(system: ServedSystem) {
    this.client = new WriteClient(system);
    this.#recipes = system.recipes;
  }

  /** Carries out a mapped write, and finds its effect in the system. */
  async prove(write: MappedWrite): Promise<void> {
    const { name, entity, op, action } = write;
    const recipe = this.#recipes[entity];
    const effectOf = action === null ? recipe?.[op as (typeof WRITES)[number]] : recipe?.actions?.[action];
    if (!recipe || !effectOf) expect.fail(`No recipe carries out "${name}", which the platform maps.`);
    if (op === 'create') {
      for (const make of [effectOf, ...(recipe.variants ?? [])]) await this.#create(entity, recipe, make());
      return;
    }
    const effect = effectOf();
    const target = await this.#target(recipe, write, effect);
    await this.#change(recipe, write, target, effect);
  }

  /** The record that a write changes, in a state that allows it. */
  async #target(recipe: Recipe, { entity, op, action }: MappedWrite, { after = [] }: Effect): Promise<Target> {
    const key = recipe.existing?.[action ?? op];
    const target =
      key === undefined ? await this.#create(entity, recipe) : { id: await this.client.idOf(entity, key), key };
    for (const each of after) {
      const effect = recipe.actions?.[each]?.();
      if (!effect) expect.fail(`No recipe carries out "${entity} ${each}".`);
      await this.#change(recipe, actionOf(entity, each), target, effect);
    }
    return target;
  }

  async #create(entity: string, recipe: Recipe, effect = recipe.create?.()): Promise<Target> {
    if (!effect) expect.fail(`No recipe carries out "${entity} create".`);
    const write = { name: `${entity} create`, entity, op: 'create', action: null } as const;
    const before = await recipe.keys?.();
    const operation = operationOf(write, recipe) ?? expect.fail(`The API has no operation for "${write.name}".`);
    const { writeId, record } = await this.client.request(write, operation, '', effect);
    const { targetId, result } = record;
    const target = { id: targetId ?? '', key: result?._idValue ?? '', writeId };
    expect(before ?? [], `${write.name}: the keys before`).not.toContain(target.key);
    await this.#expectFound(recipe, write, target, effect, record);
    return target;
  }

  async #change(recipe: Recipe, write: MappedWrite, target: Target, effect: Effect): Promise<void> {
    expectUnchanged(write, await recipe.find(target.key), effect);
    const operation = operationOf(write, recipe);
    const { record } = operation
      ? await this.client.request(write, operation, target.id, effect)
      : await this.#reverse(write, target, effect);
    await this.#expectFound(recipe, write, target, effect, record);
  }

  /** Without an operation of the API, only the reversal of a create deletes a record. */
  async #reverse(write: MappedWrite, { writeId }: Target, effect: Effect) {
    if (write.op !== 'delete' || writeId === undefined)
      expect.fail(`The API has no operation for "${write.name}", and no reversal uses it.`);
    return this.client.reverse(write, writeId, effect);
  }

  async #expectFound(
    recipe: Recipe,
    write: MappedWrite,
    { key }: Target,
    { body = {}, found, kept = {} }: Effect,
    record: WriteRecord,
  ): Promise<void> {
    const now = await recipe.find(key);
    if (found === null) expect(now, write.name).toBeNull();
    else {
      expect(now, write.name).toMatchObject(found);
      expect(now, `${write.name}: what it does not change`).toMatchObject(kept);
    }
    this.found.add(nameOf(record));
    for (const field of fieldsIn(body)) this.sent.add(`${write.entity}.${field}`);
  }
}

/** The fields of a request, with those of its objects and of the elements of its lists. */
function fieldsIn(body: Row, at = ''): string[] {
  return Object.entries(body).flatMap(([name, value]) => {
    const below = [value].flat().filter(isObject);
    return [`${at}${name}`, ...below.flatMap((each) => fieldsIn(each, `${at}${name}.`))];
  });
}

/**
 * Expects of a record that it exists, that no field has the value that a write is to set, and every field the one that it keeps.
 */
function expectUnchanged({ name }: MappedWrite, before: Row | null, { found, kept = {} }: Effect): void {
  expect(before, `${name}: the record before`).not.toBeNull();
  expect(before, `${name}: what it does not change, before`).toMatchObject(kept);
  for (const { path, is, will } of partsOf(before, found ?? {}))
    expect({ [path]: is }, `${name}: ${path} before`).not.toMatchObject({ [path]: will });
}

/** Each value in `found`, by its path, and the value that a record has there. Lists and matchers are one value. */
function partsOf(record: unknown, found: Row, at = ''): { path: string; is: unknown; will: unknown }[] {
  return Object.entries(found).flatMap(([name, will]) => {
    const is = isObject(record) ? record[name] : undefined;
    return isObject(will) ? partsOf(is, will, `${at}${name}.`) : [{ path: `${at}${name}`, is, will }];
  });
}

function isObject(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}
