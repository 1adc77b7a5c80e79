import { type Request, ServiceError } from '@unified/contract';
import {
  lockSettingsForm,
  deleteSettingsForm as removeForm,
  listSettingsForms as storedForms,
  saveSettingsForm as storeForm,
} from '@unified/store';
import { type FormSchema, schemaProblem } from '../forms/form-values.ts';
import { requestError } from '../request-error.ts';
import type { ManagementContext } from './context.ts';

/** By name. */
export async function listSettingsForms(_request: unknown, { application }: ManagementContext) {
  return { status: 200, body: { meta: {}, data: await storedForms<FormSchema>(application) } } as const;
}

/** Throws SERVICE_INVALID_BODY for a schema whose parts contradict each other. */
export async function saveSettingsForm({ path, body }: Request<'saveSettingsForm'>, { audited }: ManagementContext) {
  const { formId: id } = path;
  const wrong = schemaProblem(body.schema);
  if (wrong) throw requestError('SERVICE_INVALID_BODY', `body/schema/${wrong.path}`, wrong.message);
  return audited(async (application, record) => {
    const before = await lockSettingsForm(application, id);
    const data = await storeForm(application, { id, ...body });
    await record({ action: 'settings_form.save', target: id, before, after: data });
    return { status: 200, body: { data } } as const;
  });
}

/** Throws SERVICE_NOT_FOUND. */
export async function deleteSettingsForm({ path }: Request<'deleteSettingsForm'>, { audited }: ManagementContext) {
  const { formId: id } = path;
  return audited(async (application, record) => {
    const before = await lockSettingsForm(application, id);
    if (!before) throw new ServiceError('SERVICE_NOT_FOUND', 'There is no settings form with this name.');
    await removeForm(application, id);
    await record({ action: 'settings_form.delete', target: id, before });
    return { status: 204 } as const;
  });
}
