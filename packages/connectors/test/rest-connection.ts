import type { Json } from '../src/json.ts';
import type { Platform } from '../src/platform.ts';
import { openRest } from '../src/rest/open-rest.ts';
import { PlatformConnection } from './platform-connection.ts';

export { reference } from './platform-connection.ts';

/** A connection to a running system with the driver `rest`. */
export class RestConnection extends PlatformConnection {
  constructor(
    platform: Platform,
    settings: Readonly<Record<string, Json>>,
    options: Readonly<Record<string, Json>> = {},
  ) {
    const changed = { ...platform, options: { ...platform.options, ...options } };
    super(changed, openRest(changed, { ...settings, allowPrivateHosts: true }));
  }
}
