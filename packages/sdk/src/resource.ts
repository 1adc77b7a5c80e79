import type { Api, ApiRequest } from './api.ts';
import type { ActionOptions, CallOptions, WriteOptions } from './calls.ts';
import { tagged } from './etag.ts';
import { filterQuery } from './filter-query.ts';
import { pathSegment } from './path-segment.ts';
import { type Page, recordList } from './record-list.ts';
import { outcome, sendWrite, unwrapped } from './write.ts';

type Method = (...args: never[]) => unknown;

/** Options of calls that read, untyped; the types of each call define them. */
interface ReadOptions extends CallOptions {
  readonly filter?: object;
  readonly sort?: string | readonly string[];
  readonly expand?: readonly string[];
  readonly extend?: readonly string[];
  readonly fields?: readonly string[];
  readonly ifNoneMatch?: string;
}

/**
 * The calls of one collection: the usual ones, and its actions.
 *
 * @param path Address of the collection, for example `/work-orders`.
 * @param actions Names of its actions; `()` after a name means that the action has no body.
 */
export function resource(api: Api, path: string, actions: readonly string[]): Record<string, Method> {
  const named = actions.map((token): [string, Method] => {
    const name = token.replace('()', '');
    return [name, action(api, path, name, name !== token)];
  });
  return { ...usualCalls(api, path), ...Object.fromEntries(named) };
}

function usualCalls(api: Api, path: string): Record<string, Method> {
  const record = (id: string) => `${path}/${pathSegment(id)}`;
  const change =
    (method: ApiRequest['method']) =>
    async (id: string, body: unknown, options: WriteOptions = {}) =>
      outcome(api, { method, path: record(id), body }, options);
  return {
    list: (options: ReadOptions = {}) => list(api, () => path, options),
    get: async (id: string, { signal, ifNoneMatch, ...options }: ReadOptions = {}) => {
      const request = { method: 'get', path: record(id), query: readQuery(options), signal } as const;
      const { response, body } = await api.call({ ...request, headers: condition(ifNoneMatch) });
      return tagged(unwrapped(body), response);
    },
    create: (body: unknown, options: WriteOptions = {}) => outcome(api, { method: 'post', path, body }, options),
    createMany: async (body: unknown, options: ActionOptions = {}) =>
      unwrapped((await sendWrite(api, { method: 'post', path: `${path}/batch`, body }, options)).body),
    update: change('patch'),
    replace: change('put'),
    delete: async (id: string, options: WriteOptions = {}) =>
      outcome(api, { method: 'delete', path: record(id) }, options),
  };
}

/** The total is requested, and `ifNoneMatch` sent, only with the first page. `page` and `cursor` are mutually exclusive. */
export function list(api: Api, path: () => string, { signal, ifNoneMatch, ...options }: ReadOptions) {
  return recordList(async (cursor) => {
    const { page, with_total, ...rest } = readQuery(options);
    const query = cursor === undefined ? { page, with_total, ...rest } : { ...rest, cursor };
    const headers = cursor === undefined ? condition(ifNoneMatch) : {};
    const { response, body } = await api.call({ method: 'get', path: path(), query, headers, signal });
    return tagged(body, response) as Page<unknown, object> | undefined;
  });
}

/** The header of a read that returns 304 if what it reads still has this tag. */
function condition(tag: string | undefined): Readonly<Record<string, string>> {
  return tag === undefined ? {} : { 'If-None-Match': tag };
}

function readQuery({ filter, sort, expand, extend, fields, ...others }: ReadOptions): Record<string, unknown> {
  return {
    ...others,
    ...(filter && { filter: filterQuery(filter) }),
    ...(sort && { sort: [sort].flat().join(',') }),
    ...(expand?.length && { expand: expand.join(',') }),
    ...(extend?.length && { extend: extend.join(',') }),
    ...(fields && { fields: fields.join(',') || 'id' }),
  };
}

function action(api: Api, path: string, name: string, bodiless: boolean): Method {
  const verb = name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  const send = async (id: string, body: unknown, options: ActionOptions = {}) => {
    const request: ApiRequest = { method: 'post', path: `${path}/${pathSegment(id)}/actions/${verb}`, body };
    return unwrapped((await sendWrite(api, request, options)).body);
  };
  return bodiless ? (id: string, options?: ActionOptions) => send(id, undefined, options) : send;
}
