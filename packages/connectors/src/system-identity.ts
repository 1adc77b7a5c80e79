import type { Json } from './json.ts';
import type { Platform } from './platform.ts';
import { protocols } from './protocols.ts';
import { settingsOf } from './settings.ts';
import { withoutTrailingSlashes } from './trailing-slashes.ts';

/** Default ports, which addresses need not contain. */
const DEFAULT_PORTS: Readonly<Record<string, string>> = {
  'http:': '80',
  'mysql:': '3306',
  'https:': '443',
  'postgres:': '5432',
};

/** Protocols with two names. */
const OTHER_NAMES: Readonly<Record<string, string>> = { 'postgresql:': 'postgres:', 'mariadb:': 'mysql:' };

/**
 * A text that is the same for two connections to one system, whatever their user and other settings: the platform, and the
 * values of the settings that it lists in `identifiedBy`, in any spelling. By default these are its addresses. A setting that
 * is left out has its default.
 */
export function systemIdentity(platform: Platform, settings: Readonly<Record<string, Json>>): string {
  const names = identifyingSettings(platform);
  return JSON.stringify([
    platform.id,
    ...names.map((name) => identifying(settings[name] ?? byDefault(platform, name))),
  ]);
}

/** Names of the settings that identify the system of a connection. */
export function identifyingSettings(platform: Platform): readonly string[] {
  return platform.identifiedBy ?? addressesOf(platform);
}

/**
 * Names of the settings that determine where the driver of a platform connects, and where it sends secrets: addresses, and all
 * that identify the system, or that the protocol names.
 */
export function addressSettings(platform: Platform): readonly string[] {
  const { recipients = [] } = (Object.hasOwn(protocols, platform.driver) && protocols[platform.driver]) || {};
  return [...new Set([...addressesOf(platform), ...(platform.identifiedBy ?? []), ...recipients])];
}

/** Names of the settings that are addresses. */
function addressesOf(platform: Platform): string[] {
  return [...settingsOf(platform)].flatMap(([name, { format }]) => (format === 'uri' ? name : []));
}

/** The value of a setting that is left out: its default, or that of the option with the same name. */
function byDefault(platform: Platform, name: string): Json {
  return settingsOf(platform).get(name)?.default ?? platform.options[name] ?? null;
}

/** A value without the parts that do not identify a system, such as the credentials in an address. */
function identifying(value: Json): Json {
  const url = typeof value === 'string' ? URL.parse(value) : null;
  const address = url && addressIn(url);
  if (!url || !address?.host) return typeof value === 'string' ? value.trim() : value;
  const protocol = OTHER_NAMES[url.protocol] ?? url.protocol;
  const host = address.host.toLowerCase().replace(/\.$/, '');
  const port = address.port || (DEFAULT_PORTS[protocol] ?? '');
  return `${protocol}//${host}:${port}${withoutTrailingSlashes(url.pathname)}`;
}

/** The host and port to which a driver connects. In PostgreSQL, parameters precede the address. */
function addressIn({ protocol, hostname, port, searchParams }: URL) {
  if (!/^postgres(ql)?:$/.test(protocol)) return { host: hostname, port };
  return { host: searchParams.getAll('host').at(-1) || hostname, port: searchParams.getAll('port').at(-1) || port };
}
