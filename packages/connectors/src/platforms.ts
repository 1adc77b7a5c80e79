import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Driver } from './driver.ts';
import { eventsWithoutSecrets, hidingPassthrough, hidingSecrets } from './hide-secrets.ts';
import type { Json } from './json.ts';
import { KnownSecrets } from './known-secrets.ts';
import { loadPlatform } from './load-platform.ts';
import { DefinitionError, type DefinitionProblem } from './mapping/definition-error.ts';
import { memoryTokenStore } from './oauth/token-store.ts';
import type { Platform } from './platform.ts';
import type { DriverHost, DriverLimits } from './protocol.ts';
import { protocols } from './protocols.ts';
import { settingSentence, settingsProblems } from './settings.ts';
import { SystemError } from './system-error.ts';

/** Derives a platform from a loaded one, for example with generated streams and mappings. */
export type ExtendPlatform = (platform: Platform) => Platform;

const folders = new Map<string, ExtendPlatform>([
  [fileURLToPath(new URL('../platforms', import.meta.url)), (platform) => platform],
]);
const loaded = new Map<string, Loaded>();
let version = 0;

/** What the files of a platform resulted in, and the state that they had then. */
interface Loaded {
  readonly folder: string;
  readonly result: Platform | DefinitionError;
  readonly state: string;
}

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
 * The platform with this name, loaded once; `reloadPlatforms` loads changed files.
 *
 * @throws DefinitionError if there is none, or its files cannot be used
 */
export function platformOf(id: string): Platform {
  const known = loaded.get(id) ?? loadedNow(folderOf(id), id);
  loaded.set(id, known);
  if (known.result instanceof DefinitionError) throw known.result;
  return known.result;
}

/** Number of times that platforms have been loaded again. Sessions that were opened at another version are outdated. */
export function platformsVersion(): number {
  return version;
}

/** A platform whose files changed. */
export interface ReloadedPlatform {
  readonly id: string;
  /** Why its files cannot be used, so that it stays as it was; none: they are in use. */
  readonly problems: readonly DefinitionProblem[];
}

/**
 * Loads the platforms again whose files changed since they were loaded. One that can be used stays as it is until its files can be
 * used, with all their mappings: they may be saved one after another.
 */
export function reloadPlatforms(): ReloadedPlatform[] {
  return [...loaded].flatMap(([id, known]) => {
    if (stateOf(join(known.folder, id)) === known.state) return [];
    const now = loadedNow(known.folder, id);
    const problems = problemsOf(now.result);
    const isUsed = problems.length === 0 || known.result instanceof DefinitionError;
    loaded.set(id, isUsed ? now : { ...known, state: now.state });
    if (isUsed) version += 1;
    return [{ id, problems }];
  });
}

function problemsOf(result: Platform | DefinitionError): readonly DefinitionProblem[] {
  return result instanceof DefinitionError ? result.problems : result.broken.flatMap(({ problems }) => problems);
}

/** Names, sizes and times of the files of a folder; empty if it does not exist. */
function stateOf(folder: string): string {
  try {
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
    return JSON.stringify(
      files.map((name) => {
        const { size, mtimeMs } = statSync(join(folder, name));
        return [name, size, mtimeMs];
      }),
    );
  } catch {
    // A file was removed in the meantime, or the folder is being replaced.
    return '';
  }
}

function folderOf(id: string): string {
  const folder = [...folders.keys()].find((each) => platformsIn(each).includes(id));
  return folder ?? refuseFile(id, '', `There is no platform "${id}".`);
}

function loadedNow(folder: string, id: string): Loaded {
  // Read first: a file that changes while it is loaded is noticed by the next comparison.
  const state = stateOf(join(folder, id));
  try {
    const extend = folders.get(folder);
    const platform = loadPlatform(join(folder, id));
    return { folder, state, result: checked(extend ? extend(platform) : platform, id) };
  } catch (error) {
    if (error instanceof DefinitionError) return { folder, state, result: error };
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

/** The tokens of drivers whose callers do not keep them. */
const processTokens = memoryTokenStore();

/**
 * Opens a session with a system of the platform. Connects lazily: `check` tests whether it can be reached. Failures, and responses
 * to passthrough, contain no secret that is entered in the settings or issued by the system, even if the system repeats it.
 *
 * @throws SystemError `unauthorized` if the settings do not match the schema of the platform
 */
export function openDriver(
  platform: Platform,
  settings: Readonly<Record<string, Json>>,
  host: DriverHost = {},
  limits?: DriverLimits,
): Driver {
  const problems = settingsProblems(platform, settings);
  if (problems.length > 0) {
    const sentences = problems.map(settingSentence).join(' ');
    throw new SystemError('unauthorized', `The settings cannot be used: ${sentences}`);
  }
  const protocol = protocols[platform.driver];
  if (!protocol) refuseFile(platform.id, 'driver', `there is no driver "${platform.driver}"`);
  const { hide, add: secretIssued } = new KnownSecrets(platform, settings);
  const tokens = host.tokens ?? processTokens;
  const driver = protocol.open(
    platform,
    settings,
    { ...eventsWithoutSecrets(host, hide), tokens, secretIssued },
    limits,
  );
  return hidingSecrets(hidingPassthrough(driver, hide), hide);
}
