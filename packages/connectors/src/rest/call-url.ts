import { SystemError } from '../system-error.ts';
import type { Parameters } from './options.ts';

/** Values for the names in braces of an address. */
export type Keys = Readonly<Record<string, unknown>>;

/**
 * The URL of a call: `address` below `base`, with keys instead of the names in braces, and the parameters of the query.
 *
 * @throws {SystemError} `rejected` when a key is missing
 */
export function urlOf(base: string, address: string, keys: Keys = {}, parameters: Parameters = {}): URL {
  const path = address.replace(/\{([^{}]+)\}/g, (_, name: string) => {
    const value = Object.hasOwn(keys, name) ? keys[name] : undefined;
    if (typeof value === 'string' || typeof value === 'number') return encodeURIComponent(value);
    throw new SystemError('rejected', `The address "${address}" needs "${name}", which the row does not have`);
  });
  const url = new URL(`${base}${path}`);
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, String(value));
  return url;
}
