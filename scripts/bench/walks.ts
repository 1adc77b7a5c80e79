/** Addresses of one list, which the clients of a benchmark request one after another. */
export interface Walk {
  readonly name: string;
  /** Relative to the server. */
  readonly paths: readonly string[];
}

const LIST = '/v4/vendors';
const FILTER_VALUES = 3_000;

export const oneAddress: Walk = { name: 'one address', paths: [LIST] };

/** Pages of 50 vendors of a fixture, each at a different address. */
export async function differentAddresses(url: string, token: string): Promise<Walk[]> {
  const names = Array.from({ length: FILTER_VALUES }, (_, number) => `Vendor ${number}`);
  const cursors = await cursorsOf(url, token);
  return [
    { name: 'every cursor', paths: cursors.map((cursor) => `${LIST}?cursor=${cursor}`) },
    {
      name: `${FILTER_VALUES} filter values`,
      paths: names.map((name) => `${LIST}?filter[name:gt]=${encodeURIComponent(name)}&sort=name`),
    },
  ];
}

/** The cursors of all pages but the first. */
async function cursorsOf(url: string, token: string): Promise<string[]> {
  const cursors: string[] = [];
  for (let path = LIST; ; ) {
    const { meta } = JSON.parse((await requestPage(url, path, token)).text) as { meta: { next_cursor: string | null } };
    if (meta.next_cursor === null) return cursors;
    cursors.push(meta.next_cursor);
    path = `${LIST}?cursor=${meta.next_cursor}`;
  }
}

/** One page of a list. Throws if the response is not 200. */
export async function requestPage(url: string, path: string, token: string): Promise<{ text: string; data: object[] }> {
  const response = await fetch(url + path, { headers: { Authorization: `Bearer ${token}` } });
  const text = await response.text();
  if (!response.ok) throw new Error(`${url}${path} returned ${response.status}: ${text}`);
  return { text, data: (JSON.parse(text) as { data: object[] }).data };
}
