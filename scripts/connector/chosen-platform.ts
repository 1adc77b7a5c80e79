import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { loadPlatform, type Platform, platformIds, platformOf } from '@unified/connectors';
import { didYouMean, UsageError } from '../command-line/usage.ts';

/** The platform with this id, or in this folder. Throws `DefinitionError` if its files cannot be used. */
export function chosenPlatform(which: string): Platform {
  const folder = resolve(which);
  if (existsSync(join(folder, 'platform.yaml'))) return loadPlatform(folder);
  const known = platformIds();
  if (known.includes(which)) return platformOf(which);
  const problem = `There is no platform "${which}", and no such folder with a platform.yaml.${didYouMean(which, known)}`;
  throw new UsageError(`✗ ${problem}\n  The platforms are: ${known.join(', ')}.`);
}
