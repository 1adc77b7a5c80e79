import { type Request, ServiceError } from '@unified/contract';
import {
  type ClientSecret,
  readClientSecret,
  recordAudit,
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
  const { application, clientId: actor } = context;
  return once(request, context, async () => {
    const { clientId } = request.path;
    const { name, expiresAt: sent } = request.body ?? {};
    // The database accepts offsets of less than 16 hours only.
    const expiresAt = sent && parseTimestamp(sent);
    const made = await storeSecret(application, { clientId, name, expiresAt });
    if (!made) throw noClient();
    await recordAudit(application, { actor, action: 'secret.create', target: made.id });
    return { data: withValue(made) };
  });
}

/** Secrets without their values, oldest first. Throws SERVICE_NOT_FOUND. */
export async function listClientSecrets({ path }: Request<'listClientSecrets'>, { application }: ManagementContext) {
  const data = await storedSecrets(application, path.clientId);
  if (!data) throw noClient();
  return { status: 200, body: { meta: {}, data } } as const;
}

/** The value of a secret; the read is recorded. Throws SERVICE_NOT_FOUND. */
export async function getClientSecret(
  { path }: Request<'getClientSecret'>,
  { application, clientId: actor }: ManagementContext,
) {
  const found = await readClientSecret(application, path.clientId, path.secretId);
  if (!found) throw noSecret();
  await recordAudit(application, { actor, action: 'secret.read', target: found.id });
  return { status: 200, body: { data: withValue(found) } } as const;
}

/** Revokes a secret. Throws SERVICE_NOT_FOUND for an unknown secret, and for one that was revoked before. */
export async function revokeClientSecret(
  { path }: Request<'revokeClientSecret'>,
  { application, clientId: actor }: ManagementContext,
) {
  if (!(await revokeSecret(application, path.clientId, path.secretId))) throw noSecret();
  await recordAudit(application, { actor, action: 'secret.revoke', target: path.secretId });
  return { status: 204 } as const;
}

function withValue({ id, name, secret, createdAt, expiresAt }: ClientSecret & { readonly secret: string }) {
  return { id, name, secret, createdAt, expiresAt };
}

function noSecret(): ServiceError {
  return new ServiceError('SERVICE_NOT_FOUND', 'The client has no valid secret with this id.');
}
