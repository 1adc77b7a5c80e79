import { hash } from 'node:crypto';
import { type Platform, systemIdentity } from '@unified/connectors';
import type { Settings } from '../model/systems.ts';

/**
 * A hash that is the same for all connections with one user of one system: its limits apply to them together. It contains no
 * password, and a token only if there is no user.
 */
export function accountOf(platform: Platform, settings: Settings): string {
  const { user, clientId, token, url } = settings;
  const inAddress = typeof url === 'string' ? (URL.parse(url)?.username ?? '') : '';
  const who = user ?? clientId ?? (inAddress || token) ?? null;
  return hash('sha256', JSON.stringify([systemIdentity(platform, settings), who]), 'base64url');
}
