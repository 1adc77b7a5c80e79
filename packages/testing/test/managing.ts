import { checkedFetch } from '@unified/testing';
import { expect } from 'vitest';

/** Calls the Management API as an application; fails unless the response is a success, and returns its data. */
export type Managing = <Data>(method: string, path: string, json?: object) => Promise<Data>;

/** Calls with the access token of an application. */
export function managing(baseUrl: string, token: string): Managing {
  return async <Data>(method: string, path: string, json?: object) => {
    const headers = { authorization: `Bearer ${token}` };
    const sent = { method, headers, ...(json && { json }) };
    const { status, body } = await checkedFetch<{ data: Data }>(`${baseUrl}/v4${path}`, sent);
    expect(status, JSON.stringify(body)).toBeLessThan(300);
    return body.data;
  };
}
