import { fileURLToPath } from 'node:url';
import { loadPlatform } from '../../src/load-platform.ts';
import type { Platform } from '../../src/platform.ts';

/** What `test-systems/odata/start.ts` provides to tests. */
export interface RunningS4Hana {
  readonly url: string;
  readonly user: string;
  readonly password: string;
  readonly received: string[];
  readonly behavior: {
    pageSize: number;
    throttled: number;
    decimalsAreNumbers: boolean;
    lost: number;
    isContested: boolean;
  };
  stop(): Promise<void>;
}

/**
 * Starts a server with the service description from SAP. Its code is outside this package, so the compiler must not see the
 * path.
 */
export async function startS4Hana(): Promise<RunningS4Hana> {
  const path = new URL('../../../../test-systems/odata/start.ts', import.meta.url).href;
  const module: { startBusinessPartners(): Promise<RunningS4Hana> } = await import(path);
  return module.startBusinessPartners();
}

/** The platform as it is shipped. */
export function s4hanaPlatform(): Platform {
  return loadPlatform(fileURLToPath(new URL('../../platforms/s4hana', import.meta.url)));
}
