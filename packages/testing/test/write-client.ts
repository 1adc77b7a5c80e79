import { type Entity, entityOf, type Operation, operations } from '@unified/contract';
import { type CheckedResponse, checkedFetch } from '@unified/testing';
import { expect, vi } from 'vitest';
import { START_MS } from './stack.ts';
import type { Effect, MappedWrite } from './write-recipe.ts';

/** A write as the service has recorded it. */
export interface WriteRecord extends Pick<MappedWrite, 'entity' | 'op'> {
  readonly operation: string;
  readonly status: string;
  readonly targetId: string | null;
  readonly result: { readonly _idValue: string } | null;
  readonly warnings: readonly unknown[];
  readonly error: unknown;
}

const OPEN: ReadonlySet<string> = new Set(['pending', 'running', 'unknown']);

/** Requests writes of one connection from the service, and waits until they have ended. */
export class WriteClient {
  readonly #url: string;
  readonly #token: string;

  constructor({ baseUrl, token }: { readonly baseUrl: string; readonly token: string }) {
    this.#url = `${baseUrl}/v4`;
    this.#token = token;
  }

  /** Requests a write by an operation of the API. */
  async request(write: MappedWrite, { method, path }: Operation, id: string, effect: Effect) {
    const json = method === 'delete' ? undefined : (effect.body ?? {});
    return this.#settled(write, effect, await this.#send(method.toUpperCase(), path.replace('{id}', id), json));
  }

  /** Requests the reversal of a create, which deletes the record that it created. */
  async reverse(write: MappedWrite, writeId: string, effect: Effect) {
    return this.#settled(write, effect, await this.#send('POST', `/writes/${writeId}/actions/compensate`));
  }

  /** The id that the service has given to the record with this key in the system. */
  async idOf(entity: string, key: string): Promise<string> {
    const { collection } = entityOf(entity) as Entity;
    const { body } = await this.#send('GET', `/${collection}?filter[_idValue]=${encodeURIComponent(key)}`);
    const [record] = (body as { data: { id: string }[] }).data;
    return record?.id ?? expect.fail(`The service has no ${entity} with the key ${key}.`);
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

  /** Waits until a write has ended, and expects that it has succeeded, as the write that it was meant to be. */
  async #settled(write: MappedWrite, { warned = [] }: Effect, { status, headers, body }: CheckedResponse<unknown>) {
    const writeId = headers.get('write-id') ?? (body as { writeId?: string }).writeId;
    if (writeId === undefined) expect.fail(`${write.name}: ${status} ${JSON.stringify(body)}`);
    const record = await vi.waitFor(() => this.#ended(write, writeId), { timeout: START_MS, interval: 20 });
    const { error, warnings } = record;
    const expected = { name: write.name, status: 'succeeded', error: null };
    expect({ name: nameOf(record), status: record.status, error, warnings }).toEqual({
      ...expected,
      warnings: warned.map((field) => expect.objectContaining({ field })),
    });
    return { writeId, record };
  }

  async #ended({ name }: MappedWrite, writeId: string): Promise<WriteRecord> {
    const { body } = await this.#send('GET', `/writes/${writeId}`);
    const record = body as WriteRecord;
    if (OPEN.has(record.status)) throw new Error(`${name} has not ended.`);
    return record;
  }

  #send(method: string, path: string, json?: unknown): Promise<CheckedResponse<unknown>> {
    const headers = { authorization: `Bearer ${this.#token}`, prefer: 'respond-async' };
    return checkedFetch(`${this.#url}${path}`, { method, headers, ...(json !== undefined && { json }) });
  }
}

/** The name of a write as it was recorded, not as it was requested. */
export function nameOf({ entity, op, operation }: Pick<WriteRecord, 'entity' | 'op' | 'operation'>): string {
  const action = operations.find(({ id }) => id === operation)?.action;
  return `${entity} ${op === 'action' ? action : op}`;
}
