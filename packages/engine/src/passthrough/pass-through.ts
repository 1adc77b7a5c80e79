import {
  type PassthroughRequest,
  type PassthroughResponse,
  type PassthroughStatement,
  passthroughFault,
  type SelectedRows,
  SystemError,
} from '@unified/connectors';
import { ServiceError } from '@unified/contract';
import type { Scope } from '@unified/store';
import type { Logger } from 'pino';
import type { DriverPool, DriverSession } from '../drivers/driver-pool.ts';
import { failureOf } from '../drivers/system-failure.ts';
import { activeModel } from '../model/active-model.ts';
import type { EngineContext } from '../queue/write-request.ts';

/** A call of the connected system as a client sends it: an HTTP request or a SELECT statement. */
export type SentPassthrough = PassthroughRequest | PassthroughStatement;

/** The response of the system. For a statement, the body contains its rows. */
export type PassedThrough = Omit<PassthroughResponse, 'retryAfter'>;

interface Parts {
  readonly drivers: DriverPool;
  readonly context: EngineContext;
  readonly log: Logger;
}

/** Methods that are allowed if a platform declares none. */
const READING: readonly string[] = ['GET'];

/**
 * Calls the connected system once with the credentials of the connection, when its quota allows it. Throws
 * SERVICE_NOT_SUPPORTED and SERVICE_INVALID_BODY before the system is called, SERVICE_CONNECTION_INACTIVE,
 * SERVICE_PLATFORM_BROKEN, and an error if the system does not respond.
 */
export async function passThrough(
  { drivers, context, log }: Parts,
  scope: Scope,
  sent: SentPassthrough,
): Promise<PassedThrough> {
  await activeModel(context, scope);
  if ('path' in sent) checkRequest(sent);
  const began = performance.now();
  const done = (outcome: object) =>
    log.info(
      { connectionId: scope.connectionId, ...shownOf(sent), ...outcome, durationMs: sinceMs(began) },
      'passthrough',
    );
  try {
    const passed = await drivers.withDriver(scope.connectionId, (session) => call(session, sent));
    if (!passed) throw new ServiceError('SERVICE_CONNECTION_INACTIVE', 'The connection is deactivated.');
    done({ status: passed.status });
    return passed;
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
    const { code, message, details } = failureOf(error);
    const { retryAfter } = error;
    done({ code });
    throw new ServiceError(code, message, { details, cause: error, ...(retryAfter !== undefined && { retryAfter }) });
  }
}

/** The parts of a call that may be logged. Parameters, headers and bodies are left out, because they may contain secrets. */
function shownOf(sent: SentPassthrough): object {
  return 'path' in sent ? { method: sent.method, path: sent.path.slice(0, 300) } : { statement: true };
}

function sinceMs(began: number): number {
  return Math.round(performance.now() - began);
}

function checkRequest(request: PassthroughRequest): void {
  const fault = passthroughFault(request);
  if (!fault) return;
  const path = `body/${fault.part}`;
  const details = [{ path, message: fault.message }];
  throw new ServiceError('SERVICE_INVALID_BODY', `${path}: ${fault.message}`, { details });
}

async function call({ driver, quota, model }: DriverSession, sent: SentPassthrough): Promise<PassedThrough> {
  const { passthrough = {} } = driver;
  const { name, passthrough: methods = READING } = model.platform;
  const { send, select } = methods.length > 0 ? passthrough : {};
  if ('path' in sent) {
    if (!send) throw notSupported(`${name} does not accept HTTP requests from clients.`, []);
    if (!methods.includes(sent.method)) {
      throw notSupported(
        `${name} does not accept ${sent.method} requests from clients, only ${methods.join(', ')}.`,
        methods,
      );
    }
    const { retryAfter, ...response } = await quota.run(sent.method === 'GET' ? 'read' : 'write', () => send(sent));
    if (retryAfter !== undefined) {
      await quota.pause({ kind: response.status === 429 ? 'throttled' : 'unavailable', seconds: retryAfter });
    }
    return response;
  }
  if (!select) throw notSupported(`${name} does not accept statements from clients.`, []);
  const body: SelectedRows = await quota.run('read', () => select(sent));
  return { status: 200, headers: {}, body };
}

function notSupported(message: string, methods: readonly string[]): ServiceError {
  return new ServiceError('SERVICE_NOT_SUPPORTED', message, { details: [{ path: 'body/method', allowed: methods }] });
}
