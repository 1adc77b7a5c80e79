import { type Client, type ClientOptions, createClient } from '../src/index.ts';

/** A client that does not wait between attempts, and the seconds that it would have waited. */
export function testClient(baseUrl: string, options: Partial<ClientOptions> = {}): { client: Client; waits: number[] } {
  const waits: number[] = [];
  const delay: ClientOptions['delay'] = async (milliseconds, signal) => {
    signal?.throwIfAborted();
    waits.push(milliseconds / 1000);
  };
  return { client: createClient({ baseUrl, token: 'token-1', delay, ...options }), waits };
}
