import type { Json } from '../json.ts';
import { SystemError } from '../system-error.ts';
import { withoutTrailingSlashes } from '../trailing-slashes.ts';
import { filled, namesIn } from './call-url.ts';
import type { PlatformOptions } from './options.ts';

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
  readonly company: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly refreshToken: string;
  /** Address of the token endpoint; empty if it is that of the platform. */
  readonly tokenUrl: string;
  /** Scope of the access token; empty if it is that of the platform. */
  readonly scope: string;
  /** Maximum duration of a call. */
  readonly timeoutMs: number;
  /** Whether the system may be in a private network. */
  readonly allowPrivateHosts: boolean;
}

type Settings = Readonly<Record<string, Json>>;

/**
 * Reads the settings. Those that the platform does not define are empty.
 *
 * @throws {SystemError} `rejected` when the address is missing or is not a URL
 */
export function readSettings(settings: Settings, options: Pick<PlatformOptions, 'base'>): RestSettings {
  const { timeoutSeconds } = settings;
  return {
    base: baseOf(settings, options),
    user: text(settings, 'user'),
    password: text(settings, 'password'),
    token: text(settings, 'token'),
    apiKey: text(settings, 'apiKey'),
    apiSecret: text(settings, 'apiSecret'),
    database: text(settings, 'database'),
    company: text(settings, 'company'),
    clientId: text(settings, 'clientId'),
    clientSecret: text(settings, 'clientSecret'),
    refreshToken: text(settings, 'refreshToken'),
    tokenUrl: text(settings, 'tokenUrl'),
    scope: text(settings, 'scope'),
    timeoutMs: (typeof timeoutSeconds === 'number' ? timeoutSeconds : 30) * 1000,
    allowPrivateHosts: settings.allowPrivateHosts === true,
  };
}

/** Texts with the names of settings in braces replaced by their values. A text without a value is left out. */
export function withSettings(
  texts: Readonly<Record<string, string>> = {},
  { user, apiKey, apiSecret, database, company }: RestSettings,
): Readonly<Record<string, string>> {
  const known: Readonly<Record<string, string>> = { user, apiKey, apiSecret, database, company };
  const given = Object.entries(texts).filter(([, each]) => namesIn(each).every((name) => known[name] !== ''));
  return Object.fromEntries(given.map(([name, each]) => [name, filled(each, known, String)]));
}

function text(settings: Readonly<Record<string, Json>>, name: string): string {
  const value = settings[name];
  return typeof value === 'string' ? value : '';
}

/** The setting `url`, or the address that the platform states, with the path that the platform adds. */
function baseOf(settings: Settings, { base }: Pick<PlatformOptions, 'base'>): string {
  const { choice, path = '' } = base ?? {};
  const chosen = choice && (text(settings, choice.setting) || choice.otherwise);
  const url = text(settings, 'url') || (chosen && choice.addresses[chosen]) || '';
  if (!URL.canParse(url)) throw new SystemError('rejected', `The setting "url" is not an address: ${url}`);
  const { origin, pathname } = new URL(url);
  return `${origin}${withoutTrailingSlashes(pathname)}${filled(path, settings, encodeURIComponent)}`;
}
