import { ServiceError } from '@unified/sdk';

/** What a call by path returns. Its types differ from the schemas of the document, so callers name the schema. */
export interface Called {
  readonly data?: unknown;
  readonly error?: unknown;
  readonly response: Response;
}

/** The body of a call by path. Throws the error of the service instead of returning it. */
export async function called<Body>(call: Promise<Called>): Promise<Body> {
  const { data, error, response } = await call;
  if (response.ok) return data as Body;
  const { code = 'CLIENT_UNREADABLE', message = response.statusText, details } = (error ?? {}) as Partial<ServiceError>;
  const requestId = response.headers.get('X-Request-Id') ?? undefined;
  throw new ServiceError(code, message, { status: response.status, details, requestId });
}

/** The content of the envelope `{ data }`. */
export async function dataOf<Data>(call: Promise<Called>): Promise<Data> {
  return (await called<{ data: Data }>(call)).data;
}
