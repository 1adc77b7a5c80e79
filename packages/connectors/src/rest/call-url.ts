import { SystemError } from '../system-error.ts';
import type { Parameters } from './options.ts';

/** Values for the names in braces of an address. */
export type Keys = Readonly<Record<string, unknown>>;

const IN_BRACES = /\{([^{}]+)\}/g;

/**
 * The URL of a call: `address` below `base`, with the names in braces replaced by keys, and with query parameters.
 *
 * @throws {SystemError} `rejected` when a key is missing
 */
export function urlOf(base: string, address: string, keys: Keys = {}, parameters: Parameters | Keys = {}): URL {
  const url = new URL(`${base}${filled(address, keys, encodeURIComponent)}`);
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, String(value));
  return url;
}

/**
 * A text with the names in braces replaced by values.
 *
 * @throws {SystemError} `rejected` when a value is missing
 */
export function filled(text: string, values: Keys, encode: (value: string | number) => string): string {
  return text.replace(IN_BRACES, (_, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (typeof value === 'string' || typeof value === 'number') return encode(value);
    throw new SystemError('rejected', `"${text}" needs a value for "${name}", which is missing`);
  });
}

/** The names in braces of a text. */
export function namesIn(text: string): string[] {
  return [...text.matchAll(IN_BRACES)].map(([, name = '']) => name);
}
