import type { Reply } from './answering-server.ts';

/** Records and responses from the service, with the fields that the tests read. */
export function vendor(id: string, fields: object = {}): object {
  return { id, code: `V-${id}`, _displayValue: `Vendor ${id}`, name: `Vendor ${id}`, terms: '', ...fields };
}

export function page(data: object[], next: string | null = null): Reply {
  return { json: { meta: { current_page: 1, per_page: 50, has_more: next !== null, next_cursor: next }, data } };
}

export function write(status: string, fields: object = {}): object {
  return {
    writeId: 'w1',
    status,
    targetId: null,
    result: null,
    synced: status === 'succeeded',
    warnings: [],
    error: null,
    ...fields,
  };
}

export function failure(status: number, code: string, headers: Readonly<Record<string, string>> = {}): Reply {
  return { status, headers, json: { code, message: `${code} happened` } };
}
