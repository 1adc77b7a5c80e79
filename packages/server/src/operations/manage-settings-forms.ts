import { type Request, ServiceError } from '@unified/contract';
import {
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
export async function saveSettingsForm(
  { path, body }: Request<'saveSettingsForm'>,
  { application }: ManagementContext,
) {
  const wrong = schemaProblem(body.schema);
  if (wrong) throw requestError('SERVICE_INVALID_BODY', `body/schema/${wrong.path}`, wrong.message);
  return { status: 200, body: { data: await storeForm(application, { id: path.formId, ...body }) } } as const;
}

/** Throws SERVICE_NOT_FOUND. */
export async function deleteSettingsForm({ path }: Request<'deleteSettingsForm'>, { application }: ManagementContext) {
  if (await removeForm(application, path.formId)) return { status: 204 } as const;
  throw new ServiceError('SERVICE_NOT_FOUND', 'There is no settings form with this name.');
}
