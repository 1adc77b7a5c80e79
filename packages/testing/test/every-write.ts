import type { Platform } from '@unified/connectors';
import { type Entity, entityOf, type Operation, operations, WRITES } from '@unified/contract';
import { checkedFetch, connect } from '@unified/testing';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { START_MS, type Stack, startStack } from './stack.ts';
import { synchronize } from './synchronize.ts';

type Row = Readonly<Record<string, unknown>>;
type Op = (typeof WRITES)[number] | 'action';

/** A write that a platform maps. */
interface MappedWrite {
  /** `PurchaseOrder create`, `PurchaseOrder approve`. */
  readonly name: string;
  readonly entity: string;
  readonly op: Op;
  /** Name of the action; null for other writes. */
  readonly action: string | null;
}

/** A request, and what the system then has, read by its own interface. */
export interface Effect {
  readonly body?: Row;
  /** Matched like `toMatchObject`; null if the system must have no such record. */
  readonly found: Row | null;
  /** Fields that the system does not store as they are sent, in the order of the warnings; none by default. */
  readonly warned?: readonly string[];
  /** Actions that lead the record to the state in which the request is allowed. */
  readonly after?: readonly string[];
}

/** How the writes of an entity are carried out, and where the system shows their effects. */
export interface Recipe {
  /** Reads a record by the interface of the system, without the driver; null if there is none. */
  find(key: string): Promise<Row | null>;
  /** Called once per record, so that codes can differ. */
  readonly create?: () => Effect;
  /** Other creates, with fields that exclude some of the first one. */
  readonly variants?: readonly (() => Effect)[];
  readonly update?: () => Effect;
  readonly replace?: () => Effect;
  readonly delete?: () => Effect;
  readonly actions?: Readonly<Record<string, () => Effect>>;
  /** Keys of records that the system had before, by the action for which each is used instead of a new one. */
  readonly existing?: Readonly<Record<string, string>>;
}

/** A running system, how to connect to it, and a recipe for each entity that is written. */
export interface WrittenSystem {
  readonly settings: Row;
  readonly recipes: Readonly<Record<string, Recipe>>;
  stop(): Promise<void>;
}

/** All writes that the mappings of a platform define, whether the API has an operation for them or not. */
export function mappedWrites({ mappings }: Platform): MappedWrite[] {
  return Object.values(mappings).flatMap(({ entity, writes, actions }) => [
    ...WRITES.filter((op) => writes.has(op)).map((op) => ({ name: `${entity} ${op}`, entity, op, action: null })),
    ...Object.keys(actions).map((action) => ({ name: `${entity} ${action}`, entity, op: 'action' as const, action })),
  ]);
}

/**
 * Defines a test for each write that the mappings of a platform define: the write is requested from the service, its write record
 * ends as succeeded, with no other warnings than expected, and the system shows the effect by its own interface, which it did not show before. A mapped
 * write without a recipe fails with its name, and so does a writable field that no recipe sends.
 */
export function everyMappedWriteIsFound(platform: Platform, start: () => Promise<WrittenSystem>): void {
  let written: Written;
  const mapped = mappedWrites(platform);

  beforeAll(async () => {
    written = await Written.open(platform, start);
  }, START_MS);
  afterAll(() => written?.close());

  describe.each(mapped)('$name', (write) => {
    test('is carried out by the service, and found by the interface of the system', () => written.prove(write));
  });

  test('no mapped write is left out', async () => {
    const succeeded = await written.succeeded();
    const names = mapped.map(({ name }) => name);
    expect({ found: [...written.found].sort(), unrecorded: names.filter((name) => !succeeded.has(name)) }).toEqual({
      found: [...names].sort(),
      unrecorded: [],
    });
  });

  test.each(Object.values(platform.mappings).filter(({ writes }) => writes.size > 0))(
    'every writable field of $entity was sent',
    ({ entity, writable }) => {
      const fields = writable.filter((name) => entityOf(entity)?.field[name]?.writable);
      expect(fields.filter((name) => !written.sent.has(`${entity}.${name}`))).toEqual([]);
    },
  );
}

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

interface WriteRecord {
  readonly entity: string;
  readonly op: Op;
  readonly operation: string;
  readonly status: string;
  readonly targetId: string | null;
  readonly result: { readonly _idValue: string } | null;
  readonly warnings: readonly unknown[];
  readonly error: unknown;
}

/** A record that was written, with its keys in the service and in the system. */
interface Target {
  readonly id: string;
  readonly key: string;
  /** The write that created it; absent if it existed before. */
  readonly writeId?: string;
}

/** The service, connected to the system whose writes are proven. */
class Written {
  /** Writes whose effect was found in the system, by the names that their write records give them. */
  readonly found = new Set<string>();
  /** Fields that were sent and not refused: `Vendor.name`. */
  readonly sent = new Set<string>();
  readonly #system: WrittenSystem;
  readonly #stack: Stack;
  readonly #token: string;

  private constructor(system: WrittenSystem, stack: Stack, token: string) {
    this.#system = system;
    this.#stack = stack;
    this.#token = token;
  }

  static async open({ id: platform }: Platform, start: () => Promise<WrittenSystem>): Promise<Written> {
    await using started = new AsyncDisposableStack();
    const [system, stack] = await Promise.all([start(), startStack()]);
    started.defer(() => system.stop());
    started.defer(() => stack.stop());
    const settings = { ...system.settings, allowPrivateHosts: true };
    const { scope, token } = await connect(stack.database.store, { platform, settings });
    await stack.startWorker();
    await synchronize(stack, scope, 'full');
    started.move();
    return new Written(system, stack, token);
  }

  async close(): Promise<void> {
    await this.#stack.stop();
    await this.#system.stop();
  }

  /** Carries out a mapped write, and finds its effect in the system. */
  async prove(write: MappedWrite): Promise<void> {
    const { name, entity, op, action } = write;
    const recipe = this.#system.recipes[entity];
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

  /** Names of the writes that the service has recorded as succeeded. */
  async succeeded(): Promise<Set<string>> {
    const names = new Set<string>();
    for (let cursor = ''; ; ) {
      const { body } = await this.#send('GET', `/writes?per_page=500&status=succeeded${cursor}`);
      const page = body as { data: WriteRecord[]; meta: { next_cursor: string | null } };
      for (const record of page.data) names.add(nameOf(record));
      if (page.meta.next_cursor === null) return names;
      cursor = `&cursor=${page.meta.next_cursor}`;
    }
  }

  /** The record that a write changes, in a state that allows it. */
  async #target(recipe: Recipe, { entity, action }: MappedWrite, { after = [] }: Effect): Promise<Target> {
    const key = recipe.existing?.[action ?? ''];
    const target = key === undefined ? await this.#create(entity, recipe) : await this.#existing(entity, key);
    for (const each of after) {
      const effect = recipe.actions?.[each]?.();
      if (!effect) expect.fail(`No recipe carries out "${entity} ${each}".`);
      await this.#change(recipe, { name: `${entity} ${each}`, entity, op: 'action', action: each }, target, effect);
    }
    return target;
  }

  async #existing(entity: string, key: string): Promise<Target> {
    const { collection } = entityOf(entity) as Entity;
    const { body } = await this.#send('GET', `/${collection}?filter[_idValue]=${encodeURIComponent(key)}`);
    const [record] = (body as { data: { id: string }[] }).data;
    if (!record) expect.fail(`The service has no ${entity} with the key ${key}.`);
    return { id: record.id, key };
  }

  async #create(entity: string, recipe: Recipe, effect = recipe.create?.()): Promise<Target> {
    if (!effect) expect.fail(`No recipe carries out "${entity} create".`);
    const write = { name: `${entity} create`, entity, op: 'create', action: null } as const;
    const { writeId, record } = await this.#request(write, '', effect);
    const { targetId, result } = record;
    const target = { id: targetId ?? '', key: result?._idValue ?? '', writeId };
    await this.#expectFound(recipe, write, target, effect, record);
    return target;
  }

  async #change(recipe: Recipe, write: MappedWrite, target: Target, effect: Effect): Promise<void> {
    const before = await recipe.find(target.key);
    if (effect.found === null) expect(before, `${write.name}: the record before`).not.toBeNull();
    else expect(before, `${write.name}: the record before`).not.toMatchObject(effect.found);
    const hasOperation = operationOf(write) !== undefined;
    const { record } = hasOperation
      ? await this.#request(write, target.id, effect)
      : await this.#reverse(write, target, effect);
    await this.#expectFound(recipe, write, target, effect, record);
  }

  async #expectFound(
    recipe: Recipe,
    write: MappedWrite,
    { key }: Target,
    { body = {}, found }: Effect,
    record: WriteRecord,
  ): Promise<void> {
    const now = await recipe.find(key);
    if (found === null) expect(now, write.name).toBeNull();
    else expect(now, write.name).toMatchObject(found);
    this.found.add(nameOf(record));
    for (const field of Object.keys(body)) this.sent.add(`${write.entity}.${field}`);
  }

  /** Requests a write by the operation of the API. */
  async #request(write: MappedWrite, id: string, effect: Effect) {
    const { method, path } = operationOf(write) ?? expect.fail(`The API has no operation for "${write.name}".`);
    const json = method === 'delete' ? undefined : (effect.body ?? {});
    return this.#settled(write, effect, await this.#send(method.toUpperCase(), path.replace('{id}', id), json));
  }

  /** Without an operation of the API, only the reversal of a create deletes a record. */
  async #reverse(write: MappedWrite, { writeId }: Target, effect: Effect) {
    if (write.op !== 'delete' || writeId === undefined)
      expect.fail(`The API has no operation for "${write.name}", and no reversal uses it.`);
    return this.#settled(write, effect, await this.#send('POST', `/writes/${writeId}/actions/compensate`));
  }

  /** Waits until a write has ended, and expects that it has succeeded, as the write that it was meant to be. */
  async #settled(write: MappedWrite, { warned = [] }: Effect, { status, headers, body }: Answer) {
    const writeId = headers.get('write-id') ?? (body as { writeId?: string }).writeId;
    if (writeId === undefined) expect.fail(`${write.name}: ${status} ${JSON.stringify(body)}`);
    const look = async () => {
      const { body: record } = await this.#send('GET', `/writes/${writeId}`);
      if (OPEN.has((record as WriteRecord).status)) throw new Error(`${write.name} has not ended.`);
      return record as WriteRecord;
    };
    const record = await vi.waitFor(look, { timeout: START_MS, interval: 20 });
    const { error, warnings } = record;
    const expected = { name: write.name, status: 'succeeded', error: null };
    expect({ name: nameOf(record), status: record.status, error, warnings }).toEqual({
      ...expected,
      warnings: warned.map((field) => expect.objectContaining({ field })),
    });
    return { writeId, record };
  }

  #send(method: string, path: string, json?: unknown): Promise<Answer> {
    const headers = { authorization: `Bearer ${this.#token}`, prefer: 'respond-async' };
    return checkedFetch(`${this.#stack.baseUrl}/v4${path}`, { method, headers, ...(json !== undefined && { json }) });
  }
}

const OPEN: ReadonlySet<string> = new Set(['pending', 'running', 'unknown']);

/** The operation of the API that requests a write. */
function operationOf({ entity, op, action }: Pick<MappedWrite, 'entity' | 'op' | 'action'>): Operation | undefined {
  return operations.find(
    (each) =>
      each.surface === 'data' &&
      each.version === undefined &&
      each.entity === entity &&
      each.kind === op &&
      (each.action ?? null) === action,
  );
}

/** The name of a write as it was recorded, not as it was requested. */
function nameOf({ entity, op, operation }: Pick<WriteRecord, 'entity' | 'op' | 'operation'>): string {
  const action = operations.find(({ id }) => id === operation)?.action;
  return `${entity} ${op === 'action' ? action : op}`;
}
