import type { Request } from '@unified/contract';
import { listOperators as operatorsOf } from '@unified/store';
import {
  type Invited,
  inviteOperator as invite,
  linkOperator,
  deleteOperator as remove,
  updateOperator as update,
} from '../console/operator-directory.ts';
import { signInAddress } from '../console/sign-in-address.ts';
import type { ConsoleContext } from './context.ts';

/** All operators, by name. */
export async function listOperators(_request: unknown, { store }: ConsoleContext) {
  return { status: 200, body: { data: await operatorsOf(store) } } as const;
}

/** Creates an operator with a one-time link. Throws SERVICE_ALREADY_EXISTS. */
export async function inviteOperator({ body }: Request<'inviteOperator'>, context: ConsoleContext) {
  return linked(context, await invite(context.store, body, by(context)));
}

/** Creates another one-time link. Throws SERVICE_NOT_FOUND. */
export async function createSignInLink({ path }: Request<'createSignInLink'>, context: ConsoleContext) {
  return linked(context, await linkOperator(context.store, path.operatorId, by(context)));
}

/** Changes an operator. Throws SERVICE_NOT_FOUND and SERVICE_INVALID_TRANSITION. */
export async function updateOperator({ path, body }: Request<'updateOperator'>, context: ConsoleContext) {
  return { status: 200, body: { data: await update(context.store, path.operatorId, body, by(context)) } } as const;
}

/** Deletes an operator. Throws SERVICE_NOT_FOUND and SERVICE_INVALID_TRANSITION. */
export async function deleteOperator({ path }: Request<'deleteOperator'>, context: ConsoleContext) {
  await remove(context.store, path.operatorId, by(context));
  return { status: 204 } as const;
}

function by({ signedIn, visit }: ConsoleContext) {
  return { by: signedIn().operator.id, visit };
}

/** The token is in the fragment, which browsers send to no server. */
function linked({ publicUrl }: ConsoleContext, { operator, link }: Invited) {
  const data = { operator, link: signInAddress(publicUrl, link.token), linkExpiresAt: link.expiresAt };
  return { status: 201, body: { data } } as const;
}
