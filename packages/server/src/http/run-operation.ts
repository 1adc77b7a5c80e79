import { ServiceError } from '@unified/contract';
import type { Engine } from '@unified/engine';
import { ping, type Store } from '@unified/store';
import { storeFile } from '../operations/attachments.ts';
import type { DataContext, SystemContext } from '../operations/context.ts';
import { type AnyHandler, handlersOf } from '../operations/handlers.ts';
import type { Principal, PrincipalOf } from './authorization/authenticate.ts';
import { createReadRequest, type UnreadRequest } from './request/read-request.ts';
import type { ServedContract } from './request/served-contract.ts';
import type { CheckedRequest, Validator } from './request/validator.ts';
import { type HttpResponse, isRendered, type Sender } from './response/respond.ts';
import { responseSizes } from './response/response-sizes.ts';

/** The services that contexts of handlers are made from. Handlers cannot access them directly. */
export interface Services {
  readonly store: Store;
  readonly engine: Engine;
}

/** A request that was authorized. */
export interface Call extends UnreadRequest {
  readonly principal: Principal;
  readonly sender: Sender;
}

/**
 * Reads and checks a request and calls the handler of its operation with the context of its surface. Rejects with the
 * `ServiceError` to respond with.
 */
export function createRunOperation(services: Services, validator: Validator, contract: ServedContract) {
  const readRequest = createReadRequest(validator, contract);
  const handlers = handlersOf(contract.operations);
  const withRoom = createWithRoom();
  const system: SystemContext = { ping: () => ping(services.store) };

  async function serveData(call: Call, handle: AnyHandler<DataContext>): Promise<HttpResponse> {
    const { operation, request, principal } = call;
    const scope = services.store.scope(connectionIn(principal));
    const { engine } = services;
    const { checked, sent } = await readRequest(call, (each, bytes) =>
      storeFile(each, bytes, { engine, scope, operation }),
    );
    const accepts = (types: readonly string[]) => request.accepts([...types]) || undefined;
    const context: DataContext = { operation, scope, engine, sent, accepts };
    const respond = () => handle(asDeclared(checked), context);
    return operation.method === 'get' ? withRoom(call, checked, respond) : respond();
  }

  return async (call: Call): Promise<HttpResponse> => {
    const handler = handlers.get(call.operation.id);
    if (!handler) throw new Error(`${call.operation.id} is not served.`);
    if (handler.surface === 'data') return serveData(call, handler.handle);
    const { checked } = await readRequest(call);
    return handler.handle(asDeclared(checked), system);
  };
}

/** The validator ensures the type that the handler of the operation declares, which the compiler cannot know. */
function asDeclared(checked: CheckedRequest): never {
  return checked as never;
}

/** The data API takes connection tokens only. If the document accepts more, this does not compile. */
function connectionIn(principal: Principal): PrincipalOf<'data'> {
  if (principal.credential === 'connectionToken') return principal;
  throw new ServiceError('SERVICE_UNAUTHORIZED', 'This operation needs the token of a connection.');
}

/** Delays a read until the memory for its response is reserved. */
function createWithRoom() {
  const sizes = responseSizes();
  return async (call: Call, checked: CheckedRequest, respond: () => Promise<HttpResponse>): Promise<HttpResponse> => {
    const { operation, sender } = call;
    const { per_page: records = 1, expand } = checked.query as { per_page?: number; expand?: string };
    const kind = `${sender.share.owner} ${operation.id}${expand === undefined ? '' : ' expanded'}`;
    const room = sender.outbox.reserve(sender.share, sizes.expected(kind, records));
    if (room) await room;
    const answer = await respond();
    sizes.learn(kind, records, sizeOf(answer));
    return answer;
  };
}

/** Characters of a text body, which are roughly its bytes. */
function sizeOf({ body }: HttpResponse): number {
  return isRendered(body) ? body.json.length : 0;
}
