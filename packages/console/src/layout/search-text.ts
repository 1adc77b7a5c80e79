/** The query of an address as texts by name: `?filter[name:contains]=acme`, as in the API. */
export function parseSearch(text: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(text));
}

/** The reverse, with brackets and colons as they are, so that addresses can be read. */
export function stringifySearch(search: Readonly<Record<string, unknown>>): string {
  const entries = Object.entries(search).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  if (entries.length === 0) return '';
  const text = new URLSearchParams(entries).toString();
  return `?${text.replaceAll('%5B', '[').replaceAll('%5D', ']').replaceAll('%3A', ':')}`;
}
