import { performance } from 'node:perf_hooks';
import { SystemError } from '../system-error.ts';
import type { RemoteLimits } from './remote-limits.ts';

/** Maximum number of entries in a folder. */
const MOST_ENTRIES = 100_000;

/** Maximum length of a list, in characters. */
const LONGEST_LIST = 64 * 1024 ** 2;

const LIST_MS = 300_000;

/** Counts what a server sends while it lists a folder, so that no list is endless. */
export class ListingLimits {
  readonly #mostCharacters: number;
  readonly #listMs: number;
  readonly #startedMs = performance.now();
  #characters = 0;
  #entries = 0;

  constructor({ listMs = LIST_MS, maxReceivedBytes = LONGEST_LIST }: RemoteLimits) {
    this.#listMs = listMs;
    this.#mostCharacters = Math.min(maxReceivedBytes, LONGEST_LIST);
  }

  /** @throws SystemError `unavailable` if they arrive too late, `rejected` if they are too many */
  addCharacters(count: number): void {
    this.#characters += count;
    if (performance.now() - this.#startedMs > this.#listMs) {
      throw new SystemError('unavailable', `The folder was not listed within ${this.#listMs / 1000} seconds`);
    }
    if (this.#characters <= this.#mostCharacters) return;
    const words = `The list of the files in the folder is longer than ${this.#mostCharacters} characters`;
    throw new SystemError('rejected', `${words}. Move old ones to another folder`);
  }

  /** @throws SystemError `rejected` if they are too many */
  addEntries(count: number): void {
    this.#entries += count;
    if (this.#entries <= MOST_ENTRIES) return;
    throw new SystemError(
      'rejected',
      `The folder has more than ${MOST_ENTRIES} files. Move old ones to another folder`,
    );
  }
}
