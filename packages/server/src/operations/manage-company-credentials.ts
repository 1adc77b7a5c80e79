import { type Request, ServiceError } from '@unified/contract';
import {
  type CompanyCredential,
  type EndCustomerScope,
  lockEndCustomer,
  deleteCompanyCredential as removeCredential,
  saveCompanyCredential,
  listCompanyCredentials as storedCredentials,
} from '@unified/store';
import type { ManagementContext } from './context.ts';
import { changeCustomer, customerOf } from './customer-of.ts';

/** By platform. Throws SERVICE_NOT_FOUND. */
export async function listCompanyCredentials({ path }: Request<'listCompanyCredentials'>, context: ManagementContext) {
  const stored = await storedCredentials(await customerOf(context, path.endCustomerId));
  const data = await Promise.all(stored.map((each) => shown(each, context)));
  return { status: 200, body: { meta: {}, data } } as const;
}

/**
 * Connects the system, or changes the connection of the credential. Throws SERVICE_NOT_FOUND, SERVICE_ALREADY_EXISTS, and the
 * errors of the check.
 */
export async function setCompanyCredential(
  { path, body }: Request<'setCompanyCredential'>,
  context: ManagementContext,
) {
  const { endCustomerId, platform } = path;
  const customer = await customerOf(context, endCustomerId);
  const before = await credentialOf(customer, platform);
  const connectionId = await connect(customer, platform, { before, settings: body.settings }, context);
  const saved = await changeCustomer(context, endCustomerId, async (within, record) => {
    const after = await saveCompanyCredential(within, platform, connectionId);
    const target = `${endCustomerId} ${platform}`;
    await record({
      ...{ action: 'company_credential.set', target },
      ...{ before: before ? { endCustomerId, ...before } : null, after: { endCustomerId, ...after } },
    });
    return after;
  });
  return { status: 200, body: { data: await shown(saved, context) } } as const;
}

/** Deletes the credential and its connection. Throws SERVICE_NOT_FOUND. */
export async function deleteCompanyCredential(
  { path }: Request<'deleteCompanyCredential'>,
  context: ManagementContext,
) {
  const { endCustomerId, platform } = path;
  const before = await credentialOf(await customerOf(context, endCustomerId), platform);
  if (!before) throw new ServiceError('SERVICE_NOT_FOUND', 'The end customer has no credential for this platform.');
  await context.connections.delete(before.connectionId);
  return changeCustomer(context, endCustomerId, async (customer, record) => {
    await removeCredential(customer, platform);
    const target = `${endCustomerId} ${platform}`;
    await record({ action: 'company_credential.delete', target, before: { endCustomerId, ...before } });
    return { status: 204 } as const;
  });
}

async function connect(
  customer: EndCustomerScope,
  platform: string,
  { before, settings }: { readonly before: CompanyCredential | undefined; readonly settings: object },
  { connections }: ManagementContext,
): Promise<string> {
  const given = settings as Readonly<Record<string, unknown>>;
  if (before) return (await connections.update(before.connectionId, { settings: given })).id;
  const { endCustomerId } = customer;
  const name = `${(await lockEndCustomer(customer))?.name ?? endCustomerId}: ${platform}`.slice(0, 255);
  return (await connections.create({ platform, name, settings: given, endCustomerId, allowDuplicate: true })).id;
}

async function credentialOf(customer: EndCustomerScope, platform: string): Promise<CompanyCredential | undefined> {
  return (await storedCredentials(customer)).find((each) => each.platform === platform);
}

/** A credential with the settings of its connection that are not secret. */
async function shown(credential: CompanyCredential, { connections }: ManagementContext) {
  const { settings } = await connections.get(credential.connectionId);
  return { ...credential, settings };
}
