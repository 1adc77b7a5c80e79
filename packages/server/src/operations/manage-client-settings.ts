import type { Request } from '@unified/contract';
import {
  type ApplicationScope,
  type ClientSetting,
  clearClientSetting,
  clientSetting,
  DEFAULT_LOG_RETENTION,
  lockClient,
  type SettingName,
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

/** Fields that were not set are null. Throws SERVICE_NOT_FOUND. */
export async function getWhitelabel({ path }: Request<'getWhitelabel'>, { application }: ManagementContext) {
  return appearance(await clientSetting(application, path.clientId, 'whitelabel'));
}

/** Fields that are omitted are reset. Throws SERVICE_NOT_FOUND. */
export async function replaceWhitelabel({ path, body }: Request<'replaceWhitelabel'>, { audited }: ManagementContext) {
  const { clientId } = path;
  const value = { ...DEFAULT_APPEARANCE, ...body };
  return audited(async (application, record) => {
    const before = await lockedSetting(application, clientId, 'whitelabel');
    const setting = await setClientSetting(application, clientId, { name: 'whitelabel', value });
    await record({ action: 'whitelabel.replace', target: clientId, before, after: value });
    return appearance(setting);
  });
}

/** Throws SERVICE_NOT_FOUND. */
export async function clearWhitelabel({ path }: Request<'clearWhitelabel'>, { audited }: ManagementContext) {
  const { clientId } = path;
  return audited(async (application, record) => {
    const before = await lockedSetting(application, clientId, 'whitelabel');
    await clearClientSetting(application, clientId, 'whitelabel');
    if (before) await record({ action: 'whitelabel.clear', target: clientId, before });
    return { status: 204 } as const;
  });
}

/** The value of a setting that is about to be changed; null if it is not set. Throws SERVICE_NOT_FOUND. */
async function lockedSetting<Name extends SettingName>(application: ApplicationScope, clientId: string, name: Name) {
  if (!(await lockClient(application, clientId))) throw noClient();
  return (await clientSetting(application, clientId, name))?.value ?? null;
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
export async function setLogRetention({ path, body }: Request<'setLogRetention'>, { audited }: ManagementContext) {
  const { clientId } = path;
  return audited(async (application, record) => {
    const days = (await lockedSetting(application, clientId, 'logRetention')) ?? DEFAULT_LOG_RETENTION;
    const setting = await setClientSetting(application, clientId, { name: 'logRetention', value: body.days });
    const states = { before: { days }, after: { days: body.days } };
    await record({ action: 'log_retention.set', target: clientId, ...states });
    return retention(setting);
  });
}

function retention(setting: ClientSetting<number> | null) {
  if (!setting) throw noClient();
  const { value, updatedAt } = setting;
  return { status: 200, body: { data: { days: value ?? DEFAULT_LOG_RETENTION, updatedAt } } } as const;
}
