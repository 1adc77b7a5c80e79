import { pathToFileURL } from 'node:url';
import { startTracing } from '@unified/tracing';
import { step } from './progress.ts';

/**
 * Loads the module that registers an OpenTelemetry SDK, and creates spans from then on; undefined: only if one is registered
 * already, such as by `NODE_OPTIONS`. Rejects if the module registers none.
 */
export async function useTracing(module: string | undefined): Promise<void> {
  if (module !== undefined) await import(pathToFileURL(module).href);
  const isTracing = await startTracing();
  if (module !== undefined && !isTracing) throw new Error(`${module} registers no OpenTelemetry SDK.`);
  if (isTracing) step('requests, writes and syncs are traced with the registered OpenTelemetry SDK');
}
