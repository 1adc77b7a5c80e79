import type { Proof } from '@unified/engine';
import { type Store, saveAuthorizationProgress, startAuthorizationCheck } from '@unified/store';
import type { Logger } from 'pino';
import type { Opened } from './open-session.ts';

/** How many systems one process checks at a time. */
const MOST_AT_A_TIME = 16;

/** Checks of systems that end users connect. They run after the response, and store how far they are. */
export interface RunningChecks {
  /** Starts to check the system of a session, unless it has ended. Returns false if too many checks are running. */
  start(opened: Opened, first: Proof): Promise<boolean>;
  /** Resolves when no check is running. */
  ended(): Promise<void>;
}

export function createRunningChecks(store: Store, logger: Logger): RunningChecks {
  const running = new Set<Promise<void>>();

  async function run({ stored, content, connections }: Opened, checkId: string): Promise<void> {
    const { platform = '', settings = {}, request } = content;
    const save = lastOnly((proof) => saveAuthorizationProgress(store, { id: stored.id, checkId }, proof));
    try {
      await connections.prove({ platform, settings, connectionId: request.connectionId }, (proof) => save.next(proof));
      await save.ended();
    } catch (err) {
      // The page shows that the check was interrupted.
      logger.error({ err, session: stored.id }, 'check of a system failed');
    }
  }

  return {
    async start(opened, first) {
      if (running.size >= MOST_AT_A_TIME) return false;
      const checkId = await startAuthorizationCheck(store, opened.stored.id, JSON.stringify(first));
      if (checkId === null) return true;
      const check = run(opened, checkId);
      running.add(check);
      void check.finally(() => running.delete(check));
      return true;
    },
    async ended() {
      await Promise.all(running);
    },
  };
}

/** Saves one value at a time, and skips those that were followed by another one in the meantime. */
function lastOnly(save: (text: string) => Promise<unknown>) {
  let latest: Proof | undefined;
  let saving: Promise<void> = Promise.resolve();
  const saveLatest = async () => {
    if (latest === undefined) return;
    const text = JSON.stringify(latest);
    latest = undefined;
    await save(text);
  };
  return {
    next(value: Proof) {
      latest = value;
      saving = saving.then(saveLatest);
      // `ended` reports the failure.
      saving.catch(() => undefined);
    },
    ended: () => saving,
  };
}
