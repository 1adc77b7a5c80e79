import { hash } from 'node:crypto';
import { identifyingSettings, type Platform, systemIdentity } from '@unified/connectors';
import type { Settings } from '../model/systems.ts';

/** Settings that only change how a system is called. */
const HOW: readonly string[] = ['allowPrivateHosts', 'timeoutSeconds'];

/** Secrets that prove the identity which another setting names. */
const PROOFS: readonly string[] = ['password', 'clientSecret', 'apiSecret'];

/**
 * A hash that is the same for all connections with one user of one system: its limits and pauses apply to them together. The user
 * is determined by all settings that can name one, including the address that issues its tokens. Otherwise, a connection that names
 * the user of another application, but signs in differently, would delay the calls of that application. The hash contains no
 * passwords.
 */
export function accountOf(platform: Platform, settings: Settings): string {
  const { url } = settings;
  const inAddress = typeof url === 'string' ? (URL.parse(url)?.username ?? '') : '';
  const others = [...identifyingSettings(platform), ...HOW, ...PROOFS];
  const naming = Object.entries(settings).filter(([name]) => !others.includes(name));
  const user = [inAddress, ...naming.sort(([one], [other]) => (one < other ? -1 : 1))];
  return hash('sha256', JSON.stringify([systemIdentity(platform, settings), user]), 'base64url');
}
