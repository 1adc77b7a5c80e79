import type { TokenHolder } from '@unified/store';
import type { Context, Services } from '../operations/context.ts';
import { handlersOf } from '../operations/handlers.ts';
import { storeFile } from '../operations/store-file.ts';
import { createReadRequest, type UnreadRequest } from './read-request.ts';
import { type Answer, isRendered, type Sender } from './respond.ts';
import { responseSizes } from './response-sizes.ts';
import type { ServedContract } from './served-contract.ts';
import type { CheckedRequest, Validator } from './validator.ts';

/** A request that was let in. */
export interface Call extends UnreadRequest {
  /** Absent for open operations. */
  readonly connection: TokenHolder | undefined;
  readonly sender: Sender;
}

type AnyHandler = (request: CheckedRequest, context: Context) => Promise<Answer>;

/** Reads and checks a request and lets the handler of its operation answer. Rejects with the `ServiceError` to answer. */
export function createRunOperation(services: Services, validator: Validator, contract: ServedContract) {
  const readRequest = createReadRequest(validator, contract);
  const handlers: Readonly<Record<string, unknown>> = handlersOf(contract.operations);
  const sizes = responseSizes();
  return async (call: Call): Promise<Answer> => {
    const { operation, connection, request, sender } = call;
    const accepts = (types: readonly string[]) => request.accepts([...types]) || undefined;
    const known = { ...services, operation, accepts, ...scopeOf(services, connection) } as Omit<Context, 'sent'>;
    const { checked, sent } = await readRequest(call, (each, bytes) => storeFile(each, bytes, known));
    // The validator has made the request what the handler's type says.
    const handler = handlers[operation.id] as AnyHandler;
    if (operation.method !== 'get' || operation.open) return handler(checked, { ...known, sent });
    const { per_page: records = 1, expand } = checked.query as { per_page?: number; expand?: string };
    const kind = `${sender.share.owner} ${operation.id}${expand === undefined ? '' : ' expanded'}`;
    const room = sender.outbox.reserve(sender.share, sizes.expected(kind, records));
    if (room) await room;
    const answer = await handler(checked, { ...known, sent });
    sizes.learn(kind, records, sizeOf(answer));
    return answer;
  };
}

/** Characters, where a body is text: they are bytes but for a few. */
function sizeOf({ body }: Answer): number {
  return isRendered(body) ? body.json.length : 0;
}

/** Open operations have no connection and touch no data. */
function scopeOf({ store }: Services, connection: TokenHolder | undefined): Partial<Context> {
  return connection ? { scope: store.scope(connection) } : {};
}
