import { performance } from 'node:perf_hooks';
import { incompleteFile } from './file-failure.ts';
import type { SourceFile } from './file-folder.ts';

/** Checks that files are no longer being written. Remembers what it has seen of them. */
export class QuietFiles {
  readonly #quietSeconds: number;
  /** By path: the state of a file, and when it was first seen, in milliseconds of `performance.now`. */
  readonly #seen = new Map<string, { readonly state: string; readonly atMs: number }>();

  constructor(quietSeconds: number) {
    this.#quietSeconds = quietSeconds;
  }

  /**
   * A file is quiet if its modification time is old enough, or if it has not changed since it was first seen long enough ago: the
   * clock of the machine that writes it can differ from this one's.
   *
   * @throws SystemError `unavailable`, with the time to wait, if one of the files may still be being written
   */
  check(files: readonly SourceFile[]): void {
    const written = files.filter(({ folder }) => !folder.isAtomic);
    const waits = written.map((file) => [file, this.#waitOf(file)] as const).filter(([, seconds]) => seconds > 0);
    const [longest] = waits.sort(([, one], [, other]) => other - one);
    if (!longest) return;
    const [{ name }, seconds] = longest;
    const rule = `it is read after it has not changed for ${this.#quietSeconds} seconds`;
    throw incompleteFile(name, `was changed just now and may be incomplete; ${rule}`, Math.ceil(seconds));
  }

  /** Seconds until the file is quiet; 0 or less if it is. */
  #waitOf({ path, sizeBytes, modifiedMs }: SourceFile): number {
    const state = `${sizeBytes} ${modifiedMs}`;
    const known = this.#seen.get(path);
    const seen = known?.state === state ? known : { state, atMs: performance.now() };
    this.#seen.set(path, seen);
    const ages = [Date.now() - modifiedMs, performance.now() - seen.atMs];
    return this.#quietSeconds - Math.max(...ages) / 1000;
  }
}
