import { createHttpClient, type HttpClient, type HttpClientOptions } from '../http/http-client.ts';

/**
 * A client for a token address at another host or port than the system, because `allowPrivateHosts` applies only to that of the
 * system; undefined if the client of the system can be used.
 */
export function tokenHttp(
  { tokenUrl, system }: { readonly tokenUrl: URL; readonly system: URL },
  options: Pick<HttpClientOptions, 'timeoutMs' | 'maxBodyBytes'>,
): HttpClient | undefined {
  return tokenUrl.origin === system.origin ? undefined : createHttpClient(options);
}
