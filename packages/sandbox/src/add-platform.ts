import { addPlatforms } from '@unified/connectors';
import { withDerived } from './derived/derived-platform.ts';
import { platformsFolder } from './folders.ts';

/** Makes the platform `sandbox` known to this process. To be called before a platform is asked for; twice does no harm. */
export function addSandboxPlatform(): void {
  addPlatforms(platformsFolder, (platform) => withDerived(platform));
}
