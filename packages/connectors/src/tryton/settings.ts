import type { Json } from '../json.ts';
import { SystemError } from '../system-error.ts';
import { withoutTrailingSlashes } from '../trailing-slashes.ts';

/** Settings of a connection to Tryton, as `platform.yaml` describes them. */
export interface TrytonSettings {
  /** Address of the server, ending in a slash: `https://erp.example/`. */
  readonly server: string;
  /** Name of the database. */
  readonly database: string;
  readonly user: string;
  readonly password: string;
  /** Maximum duration of a call. */
  readonly timeoutMs: number;
  /** Whether the server may be in a private network. */
  readonly allowPrivateHosts: boolean;
}

/**
 * Reads the settings.
 *
 * @throws {SystemError} `rejected` when they are incomplete or wrong, with a message for the user who enters them
 */
export function readSettings(settings: Readonly<Record<string, Json>>): TrytonSettings {
  const { timeoutSeconds } = settings;
  return {
    server: addressOf(text(settings, 'url')),
    database: text(settings, 'database'),
    user: text(settings, 'user'),
    password: text(settings, 'password'),
    timeoutMs: (typeof timeoutSeconds === 'number' ? timeoutSeconds : 30) * 1000,
    allowPrivateHosts: settings.allowPrivateHosts === true,
  };
}

function text(settings: Readonly<Record<string, Json>>, name: string): string {
  const value = settings[name];
  if (typeof value === 'string' && value !== '') return value;
  throw new SystemError('rejected', `The setting "${name}" is missing`);
}

function addressOf(url: string): string {
  const base = URL.canParse(url) ? new URL(url) : null;
  if (!base) throw new SystemError('rejected', `The setting "url" is not an address: ${url}`);
  return `${base.origin}${withoutTrailingSlashes(base.pathname)}/`;
}
