import { ServiceError } from '@unified/contract';
import { type AuditChange, type EndCustomerScope, endCustomerScope, ValueTaken } from '@unified/store';
import type { ManagementContext } from './context.ts';

/** An end customer of the application. Throws SERVICE_NOT_FOUND. */
export async function customerOf(
  { application }: Pick<ManagementContext, 'application'>,
  id: string,
): Promise<EndCustomerScope> {
  const scope = await endCustomerScope(application, id);
  if (!scope) throw new ServiceError('SERVICE_NOT_FOUND', 'There is no end customer with this id.');
  return scope;
}

/** Makes and records changes to an end customer, in one transaction. Throws SERVICE_NOT_FOUND and SERVICE_ALREADY_EXISTS. */
export function changeCustomer<T>(
  { audited }: Pick<ManagementContext, 'audited'>,
  id: string,
  work: (customer: EndCustomerScope, record: (change: AuditChange) => Promise<void>) => Promise<T>,
): Promise<T> {
  return audited(async (application, record) => work(await customerOf({ application }, id), record)).catch(
    alreadyExists,
  );
}

/** Throws SERVICE_ALREADY_EXISTS for a value that must be unique, and any other error unchanged. */
export function alreadyExists(error: unknown): never {
  if (!(error instanceof ValueTaken)) throw error;
  throw new ServiceError('SERVICE_ALREADY_EXISTS', `${error.message} Use it, or choose another value.`);
}
