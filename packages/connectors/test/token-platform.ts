import type { Platform } from '../src/platform.ts';
import { platformOfTexts } from './platform-of-texts.ts';

const text = '{ type: string }';
const address = '{ type: string, format: uri }';
const secret = '{ type: string, writeOnly: true }';
const PLATFORM = `
id: tokens
name: Token System
driver: rest
settings:
  type: object
  required: [url, clientId, clientSecret, refreshToken]
  properties: { url: ${address}, tokenUrl: ${address}, clientId: ${text}, clientSecret: ${secret}, refreshToken: ${secret}, allowPrivateHosts: { type: boolean } }
identifiedBy: [url]
options:
  authentication: { refreshToken: { tokenUrl: 'https://accounts.example/token' } }
  check: /me
  failures: { default: { messages: [message] } }
defaults: { key: id, deletes: diff }
streams:
  units: { options: { list: { address: /units } } }
`;
const MAPPING = 'entity: Unit\nstream: units\nfields: { name: name, code: code }\n';

/** A platform whose access tokens are renewed with a refresh token; see `startTokenServer`. */
export function tokenPlatform(): Platform {
  return platformOfTexts(PLATFORM, { unit: MAPPING });
}
