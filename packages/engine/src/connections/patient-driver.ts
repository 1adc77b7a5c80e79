import { type Driver, SystemError } from '@unified/connectors';

/** Waits for as many seconds as a system has requested. */
export type Wait = (seconds: number) => Promise<void>;

/** Maximum number of seconds that one call waits in all. */
const LONGEST_WAIT = 300;

/** Maximum number of times that one call waits for a system that is unavailable, which may be so for longer than it states. */
const MOST_OUTAGES = 3;

/**
 * The driver, which repeats reads that the system refuses because there are too many, or because it is unavailable, after the time
 * that it requests. If that is longer than five minutes, the failure is thrown. For checks by the operator; syncs have their own
 * pauses.
 */
export function patientDriver(driver: Driver, wait: Wait): Driver {
  const { changes, discover } = driver;
  const patient = <A extends readonly unknown[], R>(call: (...given: A) => Promise<R>) => {
    return (...given: A) => repeated(() => call(...given), wait);
  };
  return {
    ...driver,
    check: patient(driver.check.bind(driver)),
    pull: patient(driver.pull.bind(driver)),
    read: patient(driver.read.bind(driver)),
    ...(changes && {
      changes: {
        mark: patient(changes.mark.bind(changes)),
        pull: patient(changes.pull.bind(changes)),
      },
    }),
    ...(discover && {
      discover: {
        ...discover,
        columns: patient(discover.columns.bind(discover)),
        probe: patient(discover.probe.bind(discover)),
      },
    }),
  };
}

async function repeated<T>(call: () => Promise<T>, wait: Wait): Promise<T> {
  for (let waited = 0, outages = 0; ; ) {
    try {
      return await call();
    } catch (error) {
      const seconds = secondsToWait(error);
      if (seconds === undefined) throw error;
      waited += seconds;
      outages += error instanceof SystemError && error.kind === 'unavailable' ? 1 : 0;
      if (waited > LONGEST_WAIT || outages > MOST_OUTAGES) throw error;
      await wait(seconds);
    }
  }
}

/** Seconds after which a call can be repeated; undefined if this cannot be expected. */
function secondsToWait(error: unknown): number | undefined {
  if (!(error instanceof SystemError)) return undefined;
  const { kind, retryAfter } = error;
  // A system that requests no wait is not called endlessly either.
  if (kind === 'throttled') return Math.max(retryAfter ?? 10, 1);
  return kind === 'unavailable' && retryAfter !== undefined ? Math.max(retryAfter, 1) : undefined;
}
