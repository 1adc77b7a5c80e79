import { afterEach } from 'vitest';
import type { Driver } from '../../src/driver.ts';
import type { Json } from '../../src/json.ts';
import { type ODataDriver, openOData } from '../../src/odata/open-odata.ts';
import type { Platform, Stream } from '../../src/platform.ts';

const opened: Driver[] = [];

afterEach(async () => {
  await Promise.all(opened.splice(0).map((driver) => driver.close()));
});

/** A driver for a service on this machine; closed after the test. `options` are those of the platform. */
export function driverFor(
  url: string,
  settings: Readonly<Record<string, Json>> = {},
  options: Readonly<Record<string, Json>> = {},
): ODataDriver {
  const platform: Platform = {
    ...{ id: 'service', name: 'Service', description: '', driver: 'odata', settings: {}, secrets: [] },
    ...{ streams: [], mappings: {}, options, broken: [] },
  };
  // Longer than a busy machine can stall.
  const driver = openOData(platform, { url, allowPrivateHosts: true, timeoutSeconds: 60, ...settings });
  opened.push(driver);
  return driver;
}

/** A stream of a service. */
export function streamOf(name: string, more: Partial<Stream> = {}): Stream {
  return { name, key: ['number'], order: 0, deletes: 'diff', pageSize: 100, options: {}, ...more };
}
