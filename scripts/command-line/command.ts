import type { Flags, Given } from './flags.ts';

/** A command of `npm run connect` or `npm run admin`. */
export interface Command {
  /** Shown in the list of commands. */
  readonly about: string;
  readonly help: string;
  /** Options besides `--help` and `--json`. */
  readonly flags: Flags;
  run(given: Given): Promise<void>;
}
