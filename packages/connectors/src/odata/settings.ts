import type { Json } from '../json.ts';
import { SystemError } from '../system-error.ts';
import { withoutTrailingSlashes } from '../trailing-slashes.ts';
import type { PlatformOptions } from './options.ts';

/** How requests are authorized. */
export type Credentials =
  | { readonly kind: 'basic'; readonly user: string; readonly password: string }
  | { readonly kind: 'bearer'; readonly token: string }
  | {
      readonly kind: 'client';
      readonly tokenUrl: URL;
      readonly clientId: string;
      readonly clientSecret: string;
      readonly scope: string | undefined;
      readonly sentIn?: 'header' | 'form' | undefined;
    }
  | { readonly kind: 'none' };

/** The settings to check if a service does not accept the credentials. */
export function credentialSettings({ kind }: Credentials): string {
  switch (kind) {
    case 'basic':
      return 'the settings "user" and "password"';
    case 'bearer':
      return 'the setting "token"';
    case 'client':
      return 'the settings "tokenUrl", "clientId", "clientSecret" and "scope"';
    default:
      return 'the settings, which contain no "user", "token" or "tokenUrl"';
  }
}

/** Settings of a connection to an OData service. */
export interface ODataSettings {
  /** Address of the sets, ending in a slash. */
  readonly service: URL;
  /** Address of the description. */
  readonly description: URL;
  readonly credentials: Credentials;
  /** Client (tenant) of an SAP system. */
  readonly sapClient: string | undefined;
  /** Maximum duration of a call. */
  readonly timeoutMs: number;
  readonly allowPrivateHosts: boolean;
}

type Settings = Readonly<Record<string, Json>>;

/** The options of a platform that settings depend on. */
type SettingsOptions = Pick<PlatformOptions, 'below' | 'clientCredentials'>;

/**
 * Reads the settings. `below` is the path of the entity that contains the sets.
 *
 * @throws {SystemError} `rejected` if a setting is missing or wrong, with a message for the user who enters it
 */
export function readSettings(
  settings: Settings,
  { below, clientCredentials = {} }: SettingsOptions = {},
): ODataSettings {
  const { timeoutSeconds } = settings;
  const root = addressOf(settings, 'url');
  root.pathname = `${withoutTrailingSlashes(root.pathname)}/`;
  root.search = '';
  root.hash = '';
  const parent = below?.replaceAll('{company}', () => encodeURIComponent(required(settings, 'company')));
  return {
    service: parent === undefined ? root : new URL(`${parent}/`, root),
    description: new URL('$metadata', root),
    credentials: credentialsOf(settings, clientCredentials),
    sapClient: text(settings, 'client'),
    timeoutMs: (typeof timeoutSeconds === 'number' ? timeoutSeconds : 60) * 1000,
    allowPrivateHosts: settings.allowPrivateHosts === true,
  };
}

function credentialsOf(settings: Settings, { sentIn }: NonNullable<SettingsOptions['clientCredentials']>): Credentials {
  const [token, user, tokenUrl] = [text(settings, 'token'), text(settings, 'user'), text(settings, 'tokenUrl')];
  if (token !== undefined) return { kind: 'bearer', token };
  if (tokenUrl !== undefined) {
    return {
      kind: 'client',
      tokenUrl: addressOf(settings, 'tokenUrl'),
      clientId: required(settings, 'clientId'),
      clientSecret: required(settings, 'clientSecret'),
      scope: text(settings, 'scope'),
      sentIn,
    };
  }
  return user === undefined ? { kind: 'none' } : { kind: 'basic', user, password: required(settings, 'password') };
}

function addressOf(settings: Settings, name: string): URL {
  const given = required(settings, name);
  if (URL.canParse(given)) return new URL(given);
  throw new SystemError('rejected', `The setting "${name}" is not an address: ${given}`);
}

function required(settings: Settings, name: string): string {
  const found = text(settings, name);
  if (found !== undefined) return found;
  throw new SystemError('rejected', `The setting "${name}" is missing`);
}

function text(settings: Settings, name: string): string | undefined {
  const value = settings[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}
