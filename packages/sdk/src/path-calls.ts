import { addressOf } from './address-of.ts';
import type { LeftOut } from './left-out.ts';
import { type RequestParts, requestOf } from './request-of.ts';
import { returnedError } from './response-error.ts';
import { responseJson } from './response-json.ts';

/** Calls by path, one for each method. */
export interface PathCalls<Paths> {
  GET: PathCall<Paths, 'get'>;
  POST: PathCall<Paths, 'post'>;
  PUT: PathCall<Paths, 'put'>;
  PATCH: PathCall<Paths, 'patch'>;
  DELETE: PathCall<Paths, 'delete'>;
}

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** Calls the operation at a path. The options are required if a parameter or the body is. */
type PathCall<Paths, Verb extends Method> = <Path extends PathWith<Paths, Verb>, Form extends ParseAs>(
  path: Path,
  ...options: PathArguments<OperationAt<Paths, Path, Verb>, Form>
) => Promise<PathResult<OperationAt<Paths, Path, Verb>, Form>>;

type PathWith<Paths, Verb extends Method> = {
  [Path in keyof Paths]: Paths[Path] extends { [Name in Verb]: object } ? Path : never;
}[keyof Paths];

type OperationAt<Paths, Path extends keyof Paths, Verb extends Method> = Paths[Path][Verb & keyof Paths[Path]];

type PathArguments<Operation, Form extends ParseAs> =
  Record<never, never> extends ParametersOf<Operation> & SentBy<Operation>
    ? [options?: PathOptions<Operation, Form>]
    : [options: PathOptions<Operation, Form>];

type PathOptions<Operation, Form extends ParseAs> = CommonOptions &
  ParametersOf<Operation> &
  SentBy<Operation> & {
    /** How the data is read; errors are always read as JSON. Defaults to `json`. */
    readonly parseAs?: Form;
  };

type CommonOptions = Omit<RequestParts, 'params' | 'body'>;

// `[Operation] extends` instead of `Operation extends`: the compiler would otherwise try the operations of all paths for each call,
// which takes it ten times as long.
type ParametersOf<Operation> = [Operation] extends [{ parameters: infer Parameters }]
  ? Record<never, never> extends Parameters
    ? { readonly params?: ByPlace<Parameters> }
    : { readonly params: ByPlace<Parameters> }
  : never;

type ByPlace<Parameters> = { [Place in keyof Parameters]: LeftOut<Parameters[Place]> };

type SentBy<Operation> = [Operation] extends [{ requestBody: { content: infer Content } }]
  ? { readonly body: BodyIn<Content> }
  : [Operation] extends [{ requestBody?: { content: infer Content } }]
    ? { readonly body?: BodyIn<Content> }
    : never;

/** The body in any of its media types. */
type BodyIn<Content> = {
  [Media in keyof Content]: Media extends 'multipart/form-data'
    ? FormData
    : Content[Media] | (Media extends 'application/x-www-form-urlencoded' ? URLSearchParams : never);
}[keyof Content];

type ParseAs = 'json' | 'text' | 'blob' | 'arrayBuffer' | 'stream';

/** The data of a response in the form that `parseAs` names. It is all of them if the call does not name one. */
type DataAs<Json, Form extends ParseAs> = ParseAs extends Form
  ? Json
  : { json: Json; text: string; blob: Blob; arrayBuffer: ArrayBuffer; stream: Response['body'] }[Form];

/** Data if the call succeeded, undefined if the response has no body; otherwise the error. A 304 has neither. */
type PathResult<Operation, Form extends ParseAs> = Operation extends { responses: infer Responses }
  ?
      | { data: DataAs<DataIn<Responses>, Form>; error?: never; response: Response }
      | { data?: never; error: ErrorIn<Responses>; response: Response }
      | (Responses extends { 304: unknown } ? { data?: never; error?: never; response: Response } : never)
  : never;

type Success = 200 | 201 | 202 | 203 | 204 | 205 | 206 | 207;
type Redirection = 302 | 303 | 304;

type DataIn<Responses> = JsonIn<Responses[keyof Responses & Success]>;
type JsonIn<Reply> = Reply extends { content: infer Content } ? Content[keyof Content & 'application/json'] : undefined;

type ErrorIn<Responses> = ContentIn<Responses[Exclude<keyof Responses, Success | Redirection>]>;
type ContentIn<Reply> = Reply extends { content: infer Content } ? Content[keyof Content] : undefined;

/** The calls by path of a server. */
export function pathCalls(root: string, fetch: (request: Request) => Promise<Response>): object {
  const callOf =
    (method: string) =>
    async (path: string, { parseAs = 'json', ...parts }: RequestParts & { parseAs?: ParseAs } = {}) => {
      const response = await fetch(requestOf(root + addressOf(path), method, parts));
      if (!response.ok && response.status !== 304) return { error: await returnedError(response), response };
      return { data: await dataOf(response, parseAs), response };
    };
  return Object.fromEntries(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].map((method) => [method, callOf(method)]));
}

async function dataOf(response: Response, form: ParseAs): Promise<unknown> {
  if (form === 'json') return responseJson(response);
  const { body } = response;
  if (body === null) return undefined;
  return form === 'stream' ? body : response[form]();
}
