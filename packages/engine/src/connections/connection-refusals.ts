import { isFailedAddress, type Json, type Platform, SystemError } from '@unified/connectors';
import { ServiceError } from '@unified/contract';
import { type ApplicationScope, belongsToOther, ConnectionBusy, ConnectionNameTaken } from '@unified/store';
import { failureOf, retryAfterOf } from '../drivers/system-failure.ts';
import { type CheckParts, checkSystem } from './check-system.ts';
import { SystemConnected } from './connections-to-system.ts';
import { explainToClient } from './explain-failure.ts';
import { invalidBody } from './sent-settings.ts';

/** The error for an id that belongs to no connection of the application. */
export function notFound(): ServiceError {
  return new ServiceError('SERVICE_NOT_FOUND', 'There is no connection with this id.');
}

/** Throws for a platform that cannot be used, listing the ids of those that can. */
export function refusePlatform(id: string, known: readonly string[]): never {
  throw invalidBody([
    { path: 'body/platform', message: `There is no platform "${id}". Use one of ${known.join(', ')}.` },
  ]);
}

/** Throws for an end customer of another application. */
export async function refuseOtherCustomer(application: ApplicationScope, id: string | undefined): Promise<void> {
  if (id === undefined || !(await belongsToOther(application, id))) return;
  throw invalidBody([{ path: 'body/endCustomerId', message: 'There is no end customer with this id.' }]);
}

/** Throws if the system cannot be read with these settings. */
export async function requireReadable(
  platform: Platform,
  settings: Readonly<Record<string, Json>>,
  parts: Required<Omit<CheckParts, 'wait'>>,
): Promise<void> {
  const { problems } = await checkSystem(platform, settings, parts).catch(systemFailed);
  const blocking = problems.filter(({ blocks }) => blocks);
  if (blocking.length === 0) return;
  const details = blocking.map(({ place, problem, remedy }) => ({
    path: place,
    message: `${problem} ${remedy}`.trim(),
  }));
  throw new ServiceError('SERVICE_REJECTED', `The system cannot be read completely: ${details[0]?.message}`, {
    details,
  });
}

const NO_PUBLIC_ADDRESS =
  'The system cannot be reached. Check its address; one that is not public can only be allowed by the operator of the service.';

function systemFailed(error: unknown): never {
  const { code, message: words } = failureOf(error);
  const message = isFailedAddress(error) ? NO_PUBLIC_ADDRESS : explained(error, words);
  const retryAfter = retryAfterOf(error);
  throw new ServiceError(code as ServiceError['code'], message, {
    cause: error,
    ...(retryAfter !== undefined && { retryAfter }),
  });
}

function explained(error: unknown, words: string): string {
  if (!(error instanceof SystemError)) return words;
  const { problem, remedy } = explainToClient(error);
  return `${problem} ${remedy}`;
}

/** Rethrows the errors for a connection that already exists as SERVICE_ALREADY_EXISTS, with a remedy. */
export function alreadyExists(error: unknown, ifTaken = 'Choose another name.'): never {
  const isNameTaken = error instanceof ConnectionNameTaken;
  if (!isNameTaken && !(error instanceof SystemConnected)) throw error;
  const remedy = isNameTaken ? ifTaken : 'Update it, or send allowDuplicate: true.';
  throw new ServiceError('SERVICE_ALREADY_EXISTS', `${error.message} ${remedy}`);
}

/** Rethrows the error for a connection that a worker is using as SERVICE_UNAVAILABLE. */
export function busy(error: unknown): never {
  if (!(error instanceof ConnectionBusy)) throw error;
  const message = 'A worker still uses the connection. It is deactivated; send the request again.';
  throw new ServiceError('SERVICE_UNAVAILABLE', message, { cause: error, retryAfter: 5 });
}
