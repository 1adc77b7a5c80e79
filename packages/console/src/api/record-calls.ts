import type { Client, WriteRecord } from '@unified/sdk';
import type { AnyRecord } from './document-schemas.ts';

/** Options of a list of any entity. */
export interface RecordsOptions {
  readonly filter?: object;
  readonly sort?: string;
  readonly page?: number;
  readonly per_page?: number;
  readonly with_total?: boolean;
  readonly fields?: readonly string[];
  readonly signal?: AbortSignal;
}

interface RecordsPage {
  readonly data: readonly AnyRecord[];
  readonly meta: { readonly total?: number | null; readonly has_more?: boolean };
}

interface SendingOptions {
  readonly dryRun?: boolean;
  readonly respondAsync?: boolean;
  readonly ifMatch?: string;
}

/** The calls of the records of any entity; those that the entity lacks are undefined. */
export interface RecordCalls {
  list(options: RecordsOptions): PromiseLike<RecordsPage>;
  get(id: string, options?: { extend?: readonly string[]; signal?: AbortSignal }): Promise<AnyRecord>;
  create(body: object, options: SendingOptions): Promise<WriteRecord>;
  update(id: string, body: object, options: SendingOptions): Promise<WriteRecord>;
  delete(id: string, options: SendingOptions): Promise<WriteRecord>;
  readonly [action: string]: (...args: never[]) => unknown;
}

/** The calls of a collection such as `work-orders`. */
export function recordCalls(client: Client, collection: string): RecordCalls {
  const calls = client as unknown as Readonly<Record<string, RecordCalls>>;
  const found = calls[camelCase(collection)];
  if (!found) throw new TypeError(`The SDK has no collection "${collection}".`);
  return found;
}

/** Runs an action on a record; with `dryRun`, returns the planned steps. */
export async function runAction(
  calls: RecordCalls,
  { action, id, body, dryRun }: { action: string; id: string; body: object | undefined; dryRun: boolean },
): Promise<WriteRecord> {
  const call = calls[camelCase(action)] as unknown as (...args: unknown[]) => Promise<WriteRecord>;
  return body === undefined ? call(id, { dryRun }) : call(id, body, { dryRun });
}

/** `set-status` as `setStatus`. */
export function camelCase(path: string): string {
  return path.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase());
}
