import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Driver } from './driver.ts';
import { drivers } from './drivers.ts';
import type { Json } from './json.ts';
import { loadPlatform } from './load-platform.ts';
import { DefinitionError } from './mapping/place.ts';
import type { Platform } from './platform.ts';
import { settingsProblems } from './settings.ts';
import { SystemError } from './system-error.ts';

const folder = fileURLToPath(new URL('../platforms', import.meta.url));
const loaded = new Map<string, Platform>();

/** Names of the platforms that connections can use, in alphabetical order. */
export function platformIds(): string[] {
  const names = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return names
    .map(({ name }) => name)
    .filter((name) => existsSync(join(folder, name, 'platform.yaml')))
    .sort();
}

/**
 * The platform of this name, loaded once.
 *
 * @throws DefinitionError when there is none, or its files cannot be used
 */
export function platformOf(id: string): Platform {
  const known = loaded.get(id);
  if (known) return known;
  if (!platformIds().includes(id)) throw new DefinitionError(`There is no platform "${id}"`);
  const platform = loadPlatform(join(folder, id));
  if (platform.id !== id) throw new DefinitionError(`${id}/platform.yaml: id is "${platform.id}", the folder "${id}"`);
  if (!Object.hasOwn(drivers, platform.driver)) {
    throw new DefinitionError(`${id}/platform.yaml: there is no driver "${platform.driver}"`);
  }
  loaded.set(id, platform);
  return platform;
}

/**
 * Opens a link to a system of the platform. Connects lazily: use `check` to know whether it is there.
 *
 * @throws SystemError `unauthorized` when the settings do not have the shape that the platform wants
 */
export function openDriver(platform: Platform, settings: Readonly<Record<string, Json>>): Driver {
  const problems = settingsProblems(platform, settings);
  if (problems.length > 0) throw new SystemError('unauthorized', `The settings cannot be used: ${problems.join('; ')}`);
  const open = drivers[platform.driver];
  if (!open) throw new DefinitionError(`${platform.id}/platform.yaml: there is no driver "${platform.driver}"`);
  return open(platform, settings);
}
