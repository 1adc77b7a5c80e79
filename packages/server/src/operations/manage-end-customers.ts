import { type Request, ServiceError } from '@unified/contract';
import {
  connectionsOfEndCustomer,
  lockEndCustomer,
  pageOfEndCustomers,
  deleteEndCustomer as removeCustomer,
  updateEndCustomer as saveCustomer,
  createEndCustomer as storeCustomer,
} from '@unified/store';
import type { ManagementContext } from './context.ts';
import { alreadyExists, changeCustomer, customerOf } from './customer-of.ts';
import { idOfCursor, idPage } from './id-page.ts';
import { once } from './once.ts';

/** End customers of the application, oldest first. */
export async function listEndCustomers({ query }: Request<'listEndCustomers'>, { application }: ManagementContext) {
  const { per_page = 50, cursor } = query;
  const rows = await pageOfEndCustomers(application, { after: idOfCursor(cursor), limit: per_page + 1 });
  return { status: 200, body: idPage(rows, per_page) } as const;
}

/** Throws SERVICE_ALREADY_EXISTS if another one has the `externalId`. */
export async function createEndCustomer(request: Request<'createEndCustomer'>, context: ManagementContext) {
  return once(request, context, () =>
    context
      .audited(async (application, record) => {
        const data = await storeCustomer(application, request.body);
        await record({ action: 'end_customer.create', target: data.id, after: data });
        return { data };
      })
      .catch(alreadyExists),
  );
}

/** Throws SERVICE_NOT_FOUND. */
export async function getEndCustomer({ path }: Request<'getEndCustomer'>, context: ManagementContext) {
  const data = await lockEndCustomer(await customerOf(context, path.endCustomerId));
  if (!data) return refuseDeleted();
  return { status: 200, body: { data } } as const;
}

/** Throws SERVICE_NOT_FOUND and SERVICE_ALREADY_EXISTS. */
export async function updateEndCustomer({ path, body }: Request<'updateEndCustomer'>, context: ManagementContext) {
  return changeCustomer(context, path.endCustomerId, async (customer, record) => {
    const before = await lockEndCustomer(customer);
    const data = await saveCustomer(customer, body);
    if (!data) return refuseDeleted();
    await record({ action: 'end_customer.update', target: data.id, before, after: data });
    return { status: 200, body: { data } } as const;
  });
}

/** Deletes its connections first, so that the end customer still exists if that fails. Throws SERVICE_NOT_FOUND. */
export async function deleteEndCustomer({ path }: Request<'deleteEndCustomer'>, context: ManagementContext) {
  const { connections } = context;
  const scope = await customerOf(context, path.endCustomerId);
  for (const id of await connectionsOfEndCustomer(scope)) await connections.delete(id);
  return changeCustomer(context, path.endCustomerId, async (customer, record) => {
    const before = await lockEndCustomer(customer);
    await removeCustomer(customer);
    await record({ action: 'end_customer.delete', target: path.endCustomerId, before });
    return { status: 204 } as const;
  });
}

/** Another request has deleted the end customer in the meantime. */
function refuseDeleted(): never {
  throw new ServiceError('SERVICE_NOT_FOUND', 'There is no end customer with this id.');
}
