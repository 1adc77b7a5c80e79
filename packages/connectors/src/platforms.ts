import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Driver } from './driver.ts';
import { eventsWithoutSecrets, hideSecretsOf, hidingPassthrough, hidingSecrets } from './hide-secrets.ts';
import type { Json } from './json.ts';
import { loadPlatform } from './load-platform.ts';
import { DefinitionError } from './mapping/definition-error.ts';
import type { Platform } from './platform.ts';
import type { DriverEvents, DriverLimits } from './protocol.ts';
import { protocols } from './protocols.ts';
import { settingSentence, settingsProblems } from './settings.ts';
import { SystemError } from './system-error.ts';

/** Derives a platform from a loaded one, for example with generated streams and mappings. */
export type ExtendPlatform = (platform: Platform) => Platform;

const folders = new Map<string, ExtendPlatform>([
  [fileURLToPath(new URL('../platforms', import.meta.url)), (platform) => platform],
]);
const loaded = new Map<string, Platform | DefinitionError>();

/**
 * Adds a folder of platforms to those of this package, for this process. Each platform is a folder in it. If two platforms have
 * the same name, the one added first is used. Adding a folder again has no effect. `extend` is called once for each platform of
 * the folder, when it is loaded.
 */
export function addPlatforms(folder: string, extend: ExtendPlatform = (platform) => platform): void {
  if (!folders.has(folder)) folders.set(folder, extend);
}

/** Names of the platforms that connections can use, in alphabetical order. */
export function platformIds(): string[] {
  return [...new Set([...folders.keys()].flatMap(platformsIn))].sort();
}

function platformsIn(folder: string): string[] {
  const names = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return names.map(({ name }) => name).filter((name) => existsSync(join(folder, name, 'platform.yaml')));
}

/**
 * The platform with this name, loaded once: changed files take effect at the next start.
 *
 * @throws DefinitionError if there is none, or its files cannot be used
 */
export function platformOf(id: string): Platform {
  const known = loaded.get(id) ?? loadedNow(folderOf(id), id);
  loaded.set(id, known);
  if (known instanceof DefinitionError) throw known;
  return known;
}

function folderOf(id: string): string {
  const folder = [...folders.keys()].find((each) => platformsIn(each).includes(id));
  return folder ?? refuseFile(id, '', `There is no platform "${id}".`);
}

function loadedNow(folder: string, id: string): Platform | DefinitionError {
  try {
    const extend = folders.get(folder);
    const platform = loadPlatform(join(folder, id));
    return checked(extend ? extend(platform) : platform, id);
  } catch (error) {
    if (error instanceof DefinitionError) return error;
    throw error;
  }
}

function checked(platform: Platform, id: string): Platform {
  if (platform.id !== id) refuseFile(id, 'id', `it is "${platform.id}", the folder "${id}"`);
  return platform;
}

function refuseFile(id: string, field: string, message: string): never {
  throw new DefinitionError([{ file: `${id}/platform.yaml`, field, message }]);
}

/**
 * Opens a session with a system of the platform. Connects lazily: `check` tests whether it can be reached. Failures contain no
 * secret of the settings, even if the system repeats one in its messages.
 *
 * @throws SystemError `unauthorized` if the settings do not match the schema of the platform
 */
export function openDriver(
  platform: Platform,
  settings: Readonly<Record<string, Json>>,
  events?: DriverEvents,
  limits?: DriverLimits,
): Driver {
  const problems = settingsProblems(platform, settings);
  if (problems.length > 0) {
    const sentences = problems.map(settingSentence).join(' ');
    throw new SystemError('unauthorized', `The settings cannot be used: ${sentences}`);
  }
  const protocol = protocols[platform.driver];
  if (!protocol) refuseFile(platform.id, 'driver', `there is no driver "${platform.driver}"`);
  const hide = hideSecretsOf(platform, settings);
  const driver = protocol.open(platform, settings, events && eventsWithoutSecrets(events, hide), limits);
  return hidingSecrets(hidingPassthrough(driver, hide), hide);
}
