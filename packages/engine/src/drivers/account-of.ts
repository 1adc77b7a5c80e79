import { hash } from 'node:crypto';
import { identifyingSettings, type Platform, systemIdentity } from '@unified/connectors';
import type { Settings } from '../model/systems.ts';

/** Settings that do not name a user: they change how a system is called, or are secrets that belong to a name. */
const NAMELESS: readonly string[] = [
  ...['allowPrivateHosts', 'timeoutSeconds'],
  ...['password', 'clientSecret', 'apiSecret', 'secretAccessKey', 'privateKey', 'passphrase'],
];

/**
 * A hash that is the same for all connections with one user of one system: its limits and pauses apply to them together. The user
 * is determined by all settings that can name one, including the address that issues its tokens. Otherwise, a connection that names
 * the user of another application, but signs in differently, would delay the calls of that application. The hash contains no
 * passwords.
 */
export function accountOf(platform: Platform, settings: Settings): string {
  const others = [...identifyingSettings(platform), ...NAMELESS];
  const naming = Object.entries(settings).filter(([name]) => !others.includes(name));
  const user = [userInAddress(settings.url), ...naming.sort(([one], [other]) => (one < other ? -1 : 1))];
  return hash('sha256', JSON.stringify([systemIdentity(platform, settings), user]), 'base64url');
}

/** In the address of a PostgreSQL database, a parameter replaces the user. */
function userInAddress(address: unknown): string {
  const url = typeof address === 'string' ? URL.parse(address) : null;
  return url?.searchParams.getAll('user').at(-1) || url?.username || '';
}
