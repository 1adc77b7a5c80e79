import type { ServerResponse } from 'node:http';
import type { Operation } from '@unified/contract';
import type { TokenHolder } from '@unified/store';
import type { Request } from 'express';
import type { Context, Services } from '../operations/context.ts';
import { handlersOf } from '../operations/handlers.ts';
import { readQueryString } from '../query/query-string.ts';
import { readBody } from './body.ts';
import { describedParameters } from './described-parameters.ts';
import type { Answer } from './respond.ts';
import type { ServedContract } from './served-contract.ts';
import type { CheckedRequest, Validator } from './validator.ts';

/** A request that found its operation. */
export interface Call {
  readonly operation: Operation;
  readonly params: Readonly<Record<string, string>>;
  /** What follows the `?`. */
  readonly queryText: string;
  readonly request: Request;
  readonly response: ServerResponse;
  /** Absent for open operations. */
  readonly connection: TokenHolder | undefined;
}

type AnyHandler = (request: CheckedRequest, context: Context) => Promise<Answer>;

/** Reads and checks a request and lets the handler of its operation answer. Rejects with the `ServiceError` to answer. */
export function createRunOperation(services: Services, validator: Validator, contract: ServedContract) {
  const { operations, shards } = contract;
  const described = new Map(operations.map((operation) => [operation.id, describedParameters(shards, operation)]));
  const handlers: Readonly<Record<string, unknown>> = handlersOf(operations);
  return async ({ operation, params, queryText, request, response, connection }: Call): Promise<Answer> => {
    const parameters = described.get(operation.id) ?? describedParameters(shards, operation);
    const sent = readQueryString(queryText);
    const query = { ...sent.parameters, ...(sent.filter.size > 0 && { filter: Object.fromEntries(sent.filter) }) };
    const body = parameters.takesBody ? await readBody(request, response) : undefined;
    const unchecked = { path: params, query, headers: request.headers, body };
    const checked = await validator.validate(operation, parameters, unchecked);
    // The validator has just made the request what the handler's type says.
    const handler = handlers[operation.id] as AnyHandler;
    return handler(checked, { ...services, operation, sent, ...scopeOf(services, connection) } as Context);
  };
}

/** Open operations have no connection and touch no data. */
function scopeOf({ store }: Services, connection: TokenHolder | undefined): Partial<Context> {
  return connection ? { scope: store.scope(connection) } : {};
}
