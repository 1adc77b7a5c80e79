import type { Proof } from '@unified/engine';
import { type Store, saveAuthorizationProgress, startAuthorizationCheck } from '@unified/store';
import type { Logger } from 'pino';
import type { Opened } from './open-session.ts';

/** How many systems one process checks at a time. */
const MOST_AT_A_TIME = 16;
/** How many of them for the end users of one client. */
const MOST_OF_CLIENT = 4;
/** How long a check may take in total. */
const LIMIT_MS = 120_000;

interface RunningCheck {
  readonly session: string;
  readonly client: string;
  readonly stopping: AbortController;
}

/** Checks of systems that end users connect. They run after the response, and store how far they are. */
export interface RunningChecks {
  /**
   * Starts to check the system of a session, unless it has ended, and aborts its earlier check. Returns false if too many
   * checks are running.
   */
  start(opened: Opened, first: Proof): Promise<boolean>;
  /** Resolves when no check is running. */
  ended(): Promise<void>;
}

export function createRunningChecks(store: Store, logger: Logger): RunningChecks {
  const running = new Map<RunningCheck, Promise<void>>();

  async function prove(
    { stored, content, connections }: Opened,
    checkId: string,
    stopping: AbortSignal,
  ): Promise<void> {
    const { platform = '', settings = {}, request } = content;
    const save = lastOnly((proof) => saveAuthorizationProgress(store, { id: stored.id, checkId }, proof));
    try {
      const system = { platform, settings, connectionId: request.connectionId };
      const signal = AbortSignal.any([stopping, AbortSignal.timeout(LIMIT_MS)]);
      await connections.prove(system, { signal, onStep: (proof) => save.next(proof) });
      await save.ended();
    } catch (err) {
      // The page shows that the check was interrupted.
      logger.error({ err, session: stored.id }, 'check of a system failed');
    }
  }

  return {
    async start(opened, first) {
      const { stored, client } = opened;
      const checks = [...running.keys()];
      for (const { session, stopping } of checks) if (session === stored.id) stopping.abort();
      const ofClient = checks.filter((each) => each.client === client.id);
      if (checks.length >= MOST_AT_A_TIME || ofClient.length >= MOST_OF_CLIENT) return false;
      const check = { session: stored.id, client: client.id, stopping: new AbortController() };
      const starting = startAuthorizationCheck(store, stored.id, JSON.stringify(first));
      const run = async (checkId: string | null) => {
        if (checkId !== null) await prove(opened, checkId, check.stopping.signal);
      };
      // `start` reports a failure to start. Counted before the first `await`, so that concurrent requests see it.
      const ended = starting.then(run, () => undefined).finally(() => running.delete(check));
      running.set(check, ended);
      await starting;
      return true;
    },
    async ended() {
      await Promise.all(running.values());
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
