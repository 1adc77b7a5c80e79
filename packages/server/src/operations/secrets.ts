import { type Request, ServiceError } from '@unified/contract';
import {
  type ClientSecret,
  readClientSecret,
  revokeClientSecret as revokeSecret,
  listClientSecrets as storedSecrets,
  createClientSecret as storeSecret,
} from '@unified/store';
import { parseTimestamp } from '../query/timestamp.ts';
import type { ManagementContext } from './context.ts';
import { noClient } from './manage-clients.ts';
import { once } from './once.ts';

/** Generates a secret and returns its value. Throws SERVICE_NOT_FOUND. */
export async function createClientSecret(request: Request<'createClientSecret'>, context: ManagementContext) {
  const { clientId } = request.path;
  const { name, expiresAt: sent } = request.body ?? {};
  // The database accepts only offsets of less than 16 hours.
  const expiresAt = sent && parseTimestamp(sent);
  const create = () =>
    context.audited(async (application, record) => {
      const made = await storeSecret(application, { clientId, name, expiresAt });
      if (!made) throw noClient();
      await record({ action: 'secret.create', target: made.id, after: { ...made, clientId } });
      return { data: withValue(made) };
    });
  return once(request, context, create, ({ data }) => ({
    action: 'secret.read',
    target: data.id,
    after: { ...data, clientId },
  }));
}

/** Secrets without their values, oldest first. Throws SERVICE_NOT_FOUND. */
export async function listClientSecrets({ path }: Request<'listClientSecrets'>, { application }: ManagementContext) {
  const data = await storedSecrets(application, path.clientId);
  if (!data) throw noClient();
  return { status: 200, body: { meta: {}, data } } as const;
}

/** The value of a secret; the read is recorded. Throws SERVICE_NOT_FOUND. */
export async function getClientSecret({ path }: Request<'getClientSecret'>, { audited }: ManagementContext) {
  return audited(async (application, record) => {
    const { clientId, secretId } = path;
    const found = await readClientSecret(application, clientId, secretId);
    if (!found) throw noSecret();
    const state = { ...found, clientId };
    await record({ action: 'secret.read', target: secretId, before: state, after: state });
    return { status: 200, body: { data: withValue(found) } } as const;
  });
}

/** Revokes a secret. Throws SERVICE_NOT_FOUND for an unknown secret, and for one that was already revoked. */
export async function revokeClientSecret({ path }: Request<'revokeClientSecret'>, { audited }: ManagementContext) {
  return audited(async (application, record) => {
    const { clientId, secretId } = path;
    const after = await revokeSecret(application, clientId, secretId);
    if (!after) throw noSecret();
    const revoked = { ...after, clientId };
    await record({
      action: 'secret.revoke',
      target: secretId,
      before: { ...revoked, revokedAt: null },
      after: revoked,
    });
    return { status: 204 } as const;
  });
}

function withValue({ id, name, secret, createdAt, expiresAt }: ClientSecret & { readonly secret: string }) {
  return { id, name, secret, createdAt, expiresAt };
}

function noSecret(): ServiceError {
  return new ServiceError('SERVICE_NOT_FOUND', 'The client has no valid secret with this id.');
}
