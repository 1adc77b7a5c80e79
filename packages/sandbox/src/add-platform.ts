import { addPlatforms } from '@unified/connectors';
import { withDerived } from './derived/derived-platform.ts';
import { platformsFolder } from './folders.ts';

/**
 * Registers the platform `sandbox` in this process. Call it before any platform is looked up; further calls have no
 * effect.
 */
export function addSandboxPlatform(): void {
  addPlatforms(platformsFolder, (platform) => withDerived(platform));
}
