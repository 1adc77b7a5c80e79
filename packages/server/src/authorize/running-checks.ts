import type { CheckProgress } from '@unified/engine';
import {
  interruptAuthorizationCheck,
  type Store,
  saveAuthorizationProgress,
  startAuthorizationCheck,
} from '@unified/store';
import type { Logger } from 'pino';
import type { BrowserSession } from './browser-session.ts';

/** How many systems one process checks at a time. */
const MOST_AT_A_TIME = 16;
/** How many systems one process checks at a time for the end users of one client. */
const MOST_OF_CLIENT = 4;
/** Maximum total duration of a check. */
const LIMIT_MS = 120_000;

interface RunningCheck {
  readonly sessionId: string;
  readonly clientId: string;
  readonly stopping: AbortController;
}

/** Checks of the systems that end users connect. They run after the response, and store their progress. */
export interface RunningChecks {
  /**
   * Starts checking the system of a session, unless the session has ended, and aborts its earlier check. Returns false if too
   * many checks are running.
   */
  start(session: BrowserSession, first: CheckProgress): Promise<boolean>;
  /** Resolves when no check is running. */
  ended(): Promise<void>;
}

export function createRunningChecks(store: Store, logger: Logger): RunningChecks {
  const running = new Map<RunningCheck, Promise<void>>();

  async function run(
    { stored, content, connections }: BrowserSession,
    checkId: string,
    stopping: AbortSignal,
  ): Promise<void> {
    const { platform = '', settings = {}, request } = content;
    const check = { id: stored.id, checkId };
    const save = lastOnly((progress) => saveAuthorizationProgress(store, check, progress));
    try {
      const system = { platform, settings, connectionId: request.connectionId };
      const signal = AbortSignal.any([stopping, AbortSignal.timeout(LIMIT_MS)]);
      await connections.check(system, { signal, onStep: (progress) => save.next(progress) });
      await save.ended();
    } catch (err) {
      logger.error({ err, session: stored.id }, 'check of a system failed');
      const report = (err: unknown) => logger.error({ err, session: stored.id }, 'failed check was not marked');
      await interruptAuthorizationCheck(store, check).catch(report);
    }
  }

  return {
    async start(session, first) {
      const { stored, client } = session;
      const checks = [...running.keys()];
      for (const { sessionId, stopping } of checks) if (sessionId === stored.id) stopping.abort();
      const ofClient = checks.filter((each) => each.clientId === client.id);
      if (checks.length >= MOST_AT_A_TIME || ofClient.length >= MOST_OF_CLIENT) return false;
      const check = { sessionId: stored.id, clientId: client.id, stopping: new AbortController() };
      const starting = startAuthorizationCheck(store, stored, JSON.stringify(first));
      const runStarted = async (checkId: string | null) => {
        if (checkId !== null) await run(session, checkId, check.stopping.signal);
      };
      // `start` reports a failure to start. Counted before the first `await`, so that concurrent requests see it.
      const ended = starting.then(runStarted, () => undefined).finally(() => running.delete(check));
      running.set(check, ended);
      await starting;
      return true;
    },
    async ended() {
      await Promise.all(running.values());
    },
  };
}

/** Saves one value at a time, and skips those that were superseded in the meantime. */
function lastOnly(save: (text: string) => Promise<unknown>) {
  let latest: CheckProgress | undefined;
  let saving: Promise<void> = Promise.resolve();
  const saveLatest = async () => {
    if (latest === undefined) return;
    const text = JSON.stringify(latest);
    latest = undefined;
    await save(text);
  };
  return {
    next(value: CheckProgress) {
      latest = value;
      saving = saving.then(saveLatest);
      // `ended` reports the failure.
      saving.catch(() => undefined);
    },
    ended: () => saving,
  };
}
