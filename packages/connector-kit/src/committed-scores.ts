import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Score } from './score.ts';

/** A score as committed: a measurement of one version of a system, on one day. */
export interface CommittedScore extends Score {
  /** The system with its version. */
  readonly system: string;
  /** `2026-11-23` */
  readonly measuredOn: string;
}

const folder = fileURLToPath(new URL('../scores', import.meta.url));

/** The file with the score of a measured system. */
export function scoreFile(name: string): string {
  return join(folder, `${name}.json`);
}

/** The committed score of a measured system. */
export function committedScore(name: string): CommittedScore {
  return JSON.parse(readFileSync(scoreFile(name), 'utf8'));
}

/** Names of the measured systems, in alphabetical order. */
export function scoredSystems(): string[] {
  return readdirSync(folder)
    .map((file) => file.replace(/\.json$/, ''))
    .sort();
}
