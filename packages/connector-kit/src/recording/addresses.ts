import { defaultTokenUrl, type Platform, settingsOf } from '@unified/connectors';
import type { Settings } from '../system-under-test.ts';

/** Host of all addresses in a recording. */
export const RECORDED_HOST = 'recorded.invalid';

/** Origin of the addresses in a recording. */
export const RECORDED_ORIGIN = `http://${RECORDED_HOST}`;

/** A server that is called through the proxy. */
export interface ProxiedAddress {
  readonly setting: string;
  /** The address of the system. */
  readonly system: URL;
  /** Beginning of the paths that the proxy forwards to it; empty for the first one. */
  readonly prefix: string;
  /** What replaces the origin of the system in responses to the client. */
  readonly proxy: string;
  /** What replaces it in the recording. */
  readonly recorded: string;
}

/**
 * The HTTP addresses in the settings, behind a proxy with this origin. All have the same host, because some drivers call other
 * hosts only if they are public.
 */
export function proxiedAddresses(platform: Platform, settings: Settings, origin: string): ProxiedAddress[] {
  return addressesIn(platform, settings).map(([setting, system], index) => {
    const prefix = index === 0 ? '' : `/@${setting}`;
    return { setting, system, prefix, proxy: origin + prefix, recorded: RECORDED_ORIGIN + prefix };
  });
}

/** The settings with these origins instead of those of the systems. */
export function withOrigins(
  settings: Settings,
  addresses: readonly ProxiedAddress[],
  originOf: (address: ProxiedAddress) => string,
): Settings {
  const urls = addresses.map((address) => {
    const { setting, system } = address;
    return [setting, originOf(address) + (system.pathname + system.search).replace(/^\/$/, '')];
  });
  return { ...settings, ...Object.fromEntries(urls) };
}

/** The setting `url` is the first; the others, such as the default address that issues tokens, follow. */
function addressesIn(platform: Platform, settings: Settings): [string, URL][] {
  const tokenUrl = defaultTokenUrl(platform);
  const hasTokenUrl = tokenUrl !== undefined && settingsOf(platform).has('tokenUrl');
  const { url = null, ...others }: Settings = { ...(hasTokenUrl && { tokenUrl }), ...settings };
  if (!isAddress(url)) return [];
  const called = Object.entries(others).filter(([setting]) => setting !== 'scope');
  return [['url', url] as const, ...called].flatMap(([setting, value]) =>
    isAddress(value) ? [[setting, new URL(value)] as [string, URL]] : [],
  );
}

function isAddress(value: unknown): value is string {
  return typeof value === 'string' && /^https?:/.test(value) && URL.canParse(value);
}
