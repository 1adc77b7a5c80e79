import { randomUUID } from 'node:crypto';
import { type CheckedResponse, checkedFetch, type Sent } from '@unified/testing';

/** Addresses of servers that may be killed at any time. */
export interface Servers {
  /** The server for an attempt of a request, counted from 0. Waits until one is running. */
  address(attempt: number): Promise<string>;
}

export interface Vendor {
  readonly id: string;
  readonly name: string;
  readonly terms: string | null;
}

/** A write of a vendor that has succeeded. */
export interface Written {
  readonly vendor: Vendor;
  /** With it, reads include the write. */
  readonly position: string;
}

/** The outcome was not known when the client stopped waiting, or is still unknown. */
const OPEN = [202, 502];

/** Sends a request below `/v4`. If the connection breaks, because the server was killed, sends it to another one. */
export async function sendPersistently<Body>(
  servers: Servers,
  path: string,
  sent: Sent,
): Promise<CheckedResponse<Body>> {
  for (let attempt = 0; ; attempt += 1) {
    const address = await servers.address(attempt);
    try {
      return await checkedFetch<Body>(`${address}/v4${path}`, sent);
    } catch (error) {
      // `fetch` throws a TypeError if the connection breaks.
      if (!(error instanceof TypeError)) throw error;
    }
  }
}

/**
 * Creates a vendor, or changes the one with this id, and repeats the request with the same key until the outcome is known.
 * Throws if the write fails.
 */
export async function writeVendor(
  servers: Servers,
  token: string,
  json: Partial<Vendor>,
  id?: string,
): Promise<Written> {
  const headers = { Authorization: `Bearer ${token}`, 'Idempotency-Key': randomUUID(), Prefer: 'wait=30' };
  const [method, path] = id === undefined ? ['POST', '/vendors'] : ['PATCH', `/vendors/${id}`];
  for (let attempt = 0; ; attempt += 1) {
    const later = { address: (more: number) => servers.address(attempt + more) };
    const response = await sendPersistently<{ data: Vendor }>(later, path, { method, headers, json });
    const position = response.headers.get('data-position');
    if (response.status < 202 && position) return { vendor: response.body.data, position };
    if (!OPEN.includes(response.status)) throw new Error(`${response.status} ${JSON.stringify(response.body)}`);
  }
}
