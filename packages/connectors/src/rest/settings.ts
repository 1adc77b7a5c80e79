import type { Json } from '../json.ts';
import { SystemError } from '../system-error.ts';
import { withoutTrailingSlashes } from '../trailing-slashes.ts';

/** Settings of a connection, as `platform.yaml` describes them. */
export interface RestSettings {
  /** Address of the system, without a trailing slash. */
  readonly base: string;
  readonly user: string;
  readonly password: string;
  readonly token: string;
  readonly apiKey: string;
  readonly apiSecret: string;
  readonly database: string;
  /** Maximum duration of a call. */
  readonly timeoutMs: number;
  /** Whether the system may be in a private network. */
  readonly allowPrivateHosts: boolean;
}

/**
 * Reads the settings. Those that the platform does not define are empty.
 *
 * @throws {SystemError} `rejected` when the address is missing or is not a URL
 */
export function readSettings(settings: Readonly<Record<string, Json>>): RestSettings {
  const { timeoutSeconds } = settings;
  return {
    base: baseOf(text(settings, 'url')),
    user: text(settings, 'user'),
    password: text(settings, 'password'),
    token: text(settings, 'token'),
    apiKey: text(settings, 'apiKey'),
    apiSecret: text(settings, 'apiSecret'),
    database: text(settings, 'database'),
    timeoutMs: (typeof timeoutSeconds === 'number' ? timeoutSeconds : 30) * 1000,
    allowPrivateHosts: settings.allowPrivateHosts === true,
  };
}

function text(settings: Readonly<Record<string, Json>>, name: string): string {
  const value = settings[name];
  return typeof value === 'string' ? value : '';
}

function baseOf(url: string): string {
  if (!URL.canParse(url)) throw new SystemError('rejected', `The setting "url" is not an address: ${url}`);
  const { origin, pathname } = new URL(url);
  return `${origin}${withoutTrailingSlashes(pathname)}`;
}
