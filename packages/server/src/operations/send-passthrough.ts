import type { Request } from '@unified/contract';
import type { SentPassthrough } from '@unified/engine';
import { requestError } from '../request-error.ts';
import type { DataContext } from './context.ts';

type Body = Request<'sendPassthrough'>['body'];

/** Calls the connected system with the credentials of the connection, and returns its response. */
export async function sendPassthrough({ body }: Request<'sendPassthrough'>, { engine, scope }: DataContext) {
  const { status, headers, body: content } = await engine.passThrough(scope, sentOf(body));
  return { status: 200, body: { data: { status, headers: { ...headers }, body: content } } } as const;
}

/** The request or statement of a body. Throws SERVICE_INVALID_BODY if it contains parts of both. */
function sentOf({ statement, parameters, ...request }: Body): SentPassthrough {
  const { method, path, query, headers, body } = request;
  if (statement !== undefined) {
    const other = Object.keys(request)[0];
    if (other !== undefined) throw both(other, 'A statement is sent without it. Remove it.');
    return { statement, parameters: parameters ?? [] };
  }
  if (parameters !== undefined) throw both('parameters', 'Only a statement has parameters. Use `query`.');
  // The document requires both if there is no statement.
  return { method: method ?? 'GET', path: path ?? '', query, headers, body };
}

function both(part: string, message: string) {
  return requestError('SERVICE_INVALID_BODY', `body/${part}`, message);
}
