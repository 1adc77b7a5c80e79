import type { TokenHolder } from '@unified/store';
import type { Context, Services } from '../operations/context.ts';
import { handlersOf } from '../operations/handlers.ts';
import { storeFile } from '../operations/store-file.ts';
import { createReadRequest, type UnreadRequest } from './read-request.ts';
import type { Answer } from './respond.ts';
import type { ServedContract } from './served-contract.ts';
import type { CheckedRequest, Validator } from './validator.ts';

/** A request that was let in. */
export interface Call extends UnreadRequest {
  /** Absent for open operations. */
  readonly connection: TokenHolder | undefined;
}

type AnyHandler = (request: CheckedRequest, context: Context) => Promise<Answer>;

/** Reads and checks a request and lets the handler of its operation answer. Rejects with the `ServiceError` to answer. */
export function createRunOperation(services: Services, validator: Validator, contract: ServedContract) {
  const readRequest = createReadRequest(validator, contract);
  const handlers: Readonly<Record<string, unknown>> = handlersOf(contract.operations);
  return async (call: Call): Promise<Answer> => {
    const { operation, connection, request } = call;
    const accepts = (types: readonly string[]) => request.accepts([...types]) || undefined;
    const known = { ...services, operation, accepts, ...scopeOf(services, connection) } as Omit<Context, 'sent'>;
    const { checked, sent } = await readRequest(call, (each, bytes) => storeFile(each, bytes, known));
    // The validator has made the request what the handler's type says.
    const handler = handlers[operation.id] as AnyHandler;
    return handler(checked, { ...known, sent });
  };
}

/** Open operations have no connection and touch no data. */
function scopeOf({ store }: Services, connection: TokenHolder | undefined): Partial<Context> {
  return connection ? { scope: store.scope(connection) } : {};
}
