import { type Request, ServiceError } from '@unified/contract';
import {
  revokeSetupLink as revokeLink,
  type SetupLink,
  listSetupLinks as storedLinks,
  createSetupLink as storeLink,
} from '@unified/store';
import { SETUP_PATH } from '../embedding.ts';
import type { ManagementContext } from './context.ts';
import { changeCustomer, customerOf } from './customer-of.ts';
import { checkPlatforms } from './manage-mcp-roles.ts';
import { once } from './once.ts';

const HOURS = 48;

/**
 * Returns the address, which is shown again only if the request is repeated. Throws SERVICE_NOT_FOUND and SERVICE_INVALID_BODY.
 */
export async function createSetupLink(request: Request<'createSetupLink'>, context: ManagementContext) {
  const { path, body } = request;
  const { clientId, publicUrl } = context;
  const create = () => {
    checkPlatforms([body.platform], context);
    const wanted = { clientId, platform: body.platform, hours: body.expiresInHours ?? HOURS };
    return changeCustomer(context, path.endCustomerId, async (customer, record) => {
      const { token, ...link } = await storeLink(customer, wanted);
      await record({ action: 'setup_link.create', target: link.id, after: { ...path, ...link } });
      return { data: { ...link, url: `${publicUrl}${SETUP_PATH}/${token}` } };
    });
  };
  return once(request, context, create, ({ data }) => ({
    action: 'setup_link.read',
    target: data.id,
    after: { ...path, ...data },
  }));
}

/** Without their addresses, oldest first. Throws SERVICE_NOT_FOUND. */
export async function listSetupLinks({ path }: Request<'listSetupLinks'>, context: ManagementContext) {
  const links = await storedLinks(await customerOf(context, path.endCustomerId));
  const data = links.map((link: SetupLink) => ({ ...link, url: null }));
  return { status: 200, body: { meta: {}, data } } as const;
}

/** Throws SERVICE_NOT_FOUND. */
export async function revokeSetupLink({ path }: Request<'revokeSetupLink'>, context: ManagementContext) {
  return changeCustomer(context, path.endCustomerId, async (customer, record) => {
    const before = await revokeLink(customer, path.linkId);
    if (!before) throw new ServiceError('SERVICE_NOT_FOUND', 'The end customer has no setup link with this id.');
    await record({ action: 'setup_link.revoke', target: path.linkId, before: { ...path, ...before } });
    return { status: 204 } as const;
  });
}
