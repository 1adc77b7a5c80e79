import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const PLATFORMS = fileURLToPath(new URL('../../packages/connectors/platforms', import.meta.url));

/** The folder of a platform: a path if the name contains `/`, otherwise a folder among the platforms of the service. */
export function platformFolder(which: string): string {
  if (which.includes('/') || existsSync(join(resolve(which), 'platform.yaml'))) return resolve(which);
  return join(PLATFORMS, which);
}
