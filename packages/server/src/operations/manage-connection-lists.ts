import type { Request } from '@unified/contract';
import {
  type ConnectionList,
  connectionList,
  listSettingsForms,
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
  { path, body }: Request<'setConnectionForms'>,
  { application }: ManagementContext,
) {
  const missing = await storeForms(application, path.id, body.forms);
  if (missing === undefined) throw noConnection();
  const [name] = missing;
  if (name === undefined) return formsResponse(body.forms);
  const known = (await listSettingsForms(application)).map(({ id }) => id);
  const { advice, detail } = suggestion(name, known);
  const message = `There is no settings form "${name}".${advice || ' Save it first.'}`;
  throw requestError('SERVICE_INVALID_BODY', `body/forms/${body.forms.indexOf(name)}`, message, detail);
}

/** Throws SERVICE_NOT_FOUND. */
export async function getConnectionSolutions({ path }: Request<'getConnectionSolutions'>, context: ManagementContext) {
  return solutionsResponse(await listOf(context, path.id, 'solutions'));
}

/** Throws SERVICE_NOT_FOUND. */
export async function setConnectionSolutions(
  { path, body }: Request<'setConnectionSolutions'>,
  { application }: ManagementContext,
) {
  const change = { list: 'solutions', names: body.solutions } as const;
  if (!(await setConnectionList(application, path.id, change))) throw noConnection();
  return solutionsResponse(body.solutions);
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
  { application }: ManagementContext,
) {
  const change = { list: 'flowFolders', names: body.folders } as const;
  if (!(await setConnectionList(application, path.id, change))) throw noConnection();
  return foldersResponse(body.folders);
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
