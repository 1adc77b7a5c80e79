import type { Request, ServiceError } from '@unified/contract';
import {
  type ApplicationScope,
  type ConnectionList,
  connectionList,
  listSettingsForms,
  lockConnectionList,
  setConnectionList,
  setConnectionForms as storeForms,
} from '@unified/store';
import { requestError, suggestion } from '../request-error.ts';
import type { ManagementContext } from './context.ts';
import { noConnection } from './no-connection.ts';

/** Throws SERVICE_NOT_FOUND. */
export async function getConnectionForms({ path }: Request<'getConnectionForms'>, context: ManagementContext) {
  return formsResponse(await listOf(context, path.id, 'forms'));
}

/** Throws SERVICE_NOT_FOUND, and SERVICE_INVALID_BODY for a form that does not exist. */
export async function setConnectionForms(
  { path: { id }, body: { forms } }: Request<'setConnectionForms'>,
  { audited }: ManagementContext,
) {
  return audited(async (application, record) => {
    const before = { forms: await lockConnectionList(application, id, 'forms') };
    const missing = await storeForms(application, id, forms);
    if (missing === undefined) throw noConnection();
    const [name] = missing;
    if (name !== undefined) throw await unknownForm(application, name, forms.indexOf(name));
    await record({ action: 'connection.set_forms', target: id, before, after: { forms } });
    return formsResponse(forms);
  });
}

async function unknownForm(application: ApplicationScope, name: string, index: number): Promise<ServiceError> {
  const known = (await listSettingsForms(application)).map((form) => form.id);
  const { advice, detail } = suggestion(name, known);
  const message = `There is no settings form "${name}".${advice || ' Save it first.'}`;
  return requestError('SERVICE_INVALID_BODY', `body/forms/${index}`, message, detail);
}

/** Throws SERVICE_NOT_FOUND. */
export async function getConnectionSolutions({ path }: Request<'getConnectionSolutions'>, context: ManagementContext) {
  return solutionsResponse(await listOf(context, path.id, 'solutions'));
}

/** Throws SERVICE_NOT_FOUND. */
export async function setConnectionSolutions(
  { path, body }: Request<'setConnectionSolutions'>,
  { audited }: ManagementContext,
) {
  const change = { list: 'solutions', names: body.solutions } as const;
  return audited(async (application, record) => {
    const before = { solutions: await lockConnectionList(application, path.id, 'solutions') };
    if (!(await setConnectionList(application, path.id, change))) throw noConnection();
    await record({ action: 'connection.set_solutions', target: path.id, before, after: body });
    return solutionsResponse(body.solutions);
  });
}

/** Throws SERVICE_NOT_FOUND. */
export async function getConnectionFlowFolders(
  { path }: Request<'getConnectionFlowFolders'>,
  context: ManagementContext,
) {
  return foldersResponse(await listOf(context, path.id, 'flowFolders'));
}

/** Throws SERVICE_NOT_FOUND. */
export async function setConnectionFlowFolders(
  { path, body }: Request<'setConnectionFlowFolders'>,
  { audited }: ManagementContext,
) {
  const change = { list: 'flowFolders', names: body.folders } as const;
  return audited(async (application, record) => {
    const before = { flowFolders: await lockConnectionList(application, path.id, 'flowFolders') };
    if (!(await setConnectionList(application, path.id, change))) throw noConnection();
    const after = { flowFolders: body.folders };
    await record({ action: 'connection.set_flow_folders', target: path.id, before, after });
    return foldersResponse(body.folders);
  });
}

async function listOf({ application }: ManagementContext, id: string, list: ConnectionList): Promise<string[]> {
  const names = await connectionList(application, id, list);
  if (!names) throw noConnection();
  return [...names];
}

function formsResponse(forms: string[]) {
  return { status: 200, body: { data: { forms } } } as const;
}

function solutionsResponse(solutions: string[]) {
  return { status: 200, body: { data: { solutions } } } as const;
}

function foldersResponse(folders: string[]) {
  return { status: 200, body: { data: { folders } } } as const;
}
