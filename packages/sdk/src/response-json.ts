import { notFromService } from './response-error.ts';
import { ServiceError } from './service-error.ts';

/**
 * The JSON of a successful response; undefined if it has no body.
 *
 * @throws {ServiceError} `CLIENT_UNREADABLE` if the body is not JSON.
 */
export async function responseJson(response: Response): Promise<unknown> {
  const text = await response.text();
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new ServiceError('CLIENT_UNREADABLE', notFromService(response), { status: response.status, cause });
  }
}
