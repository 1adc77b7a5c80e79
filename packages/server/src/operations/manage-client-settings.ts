import type { Request } from '@unified/contract';
import {
  type ClientSetting,
  clearClientSetting,
  clientSetting,
  setClientSetting,
  type Whitelabel,
} from '@unified/store';
import type { ManagementContext } from './context.ts';
import { noClient } from './manage-clients.ts';

const DEFAULT_APPEARANCE: Whitelabel = {
  productName: null,
  logoUrl: null,
  primaryColor: null,
  supportUrl: null,
  termsUrl: null,
};
/** Days for which requests are logged if a client has not set it. */
const DEFAULT_RETENTION = 30;

/** Fields that were not set are null. Throws SERVICE_NOT_FOUND. */
export async function getWhitelabel({ path }: Request<'getWhitelabel'>, { application }: ManagementContext) {
  return appearance(await clientSetting(application, path.clientId, 'whitelabel'));
}

/** Fields that are omitted are reset. Throws SERVICE_NOT_FOUND. */
export async function replaceWhitelabel(
  { path, body }: Request<'replaceWhitelabel'>,
  { application }: ManagementContext,
) {
  const value = { ...DEFAULT_APPEARANCE, ...body };
  return appearance(await setClientSetting(application, path.clientId, { name: 'whitelabel', value }));
}

/** Throws SERVICE_NOT_FOUND. */
export async function clearWhitelabel({ path }: Request<'clearWhitelabel'>, { application }: ManagementContext) {
  if (!(await clearClientSetting(application, path.clientId, 'whitelabel'))) throw noClient();
  return { status: 204 } as const;
}

function appearance(setting: ClientSetting<Whitelabel> | null) {
  if (!setting) throw noClient();
  const { value, updatedAt } = setting;
  return { status: 200, body: { data: { ...DEFAULT_APPEARANCE, ...value, updatedAt } } } as const;
}

/** Throws SERVICE_NOT_FOUND. */
export async function getLogRetention({ path }: Request<'getLogRetention'>, { application }: ManagementContext) {
  return retention(await clientSetting(application, path.clientId, 'logRetention'));
}

/** Throws SERVICE_NOT_FOUND. */
export async function setLogRetention({ path, body }: Request<'setLogRetention'>, { application }: ManagementContext) {
  const setting = { name: 'logRetention', value: body.days } as const;
  return retention(await setClientSetting(application, path.clientId, setting));
}

function retention(setting: ClientSetting<number> | null) {
  if (!setting) throw noClient();
  const { value, updatedAt } = setting;
  return { status: 200, body: { data: { days: value ?? DEFAULT_RETENTION, updatedAt } } } as const;
}
