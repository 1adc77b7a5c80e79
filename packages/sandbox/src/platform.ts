import { fileURLToPath } from 'node:url';
import { addPlatforms } from '@unified/connectors';

/** Makes the platform `sandbox` known to this process. To be called before a platform is asked for; twice does no harm. */
export function addSandboxPlatform(): void {
  addPlatforms(fileURLToPath(new URL('../platforms', import.meta.url)));
}
