import { type Driver, SystemError } from '@unified/connectors';

/** Waits for as many seconds as a system has requested. */
export type Wait = (seconds: number) => Promise<void>;

/** Maximum number of seconds that one call waits in all. */
const LONGEST_WAIT = 300;

/**
 * The driver, which repeats reads that the system refuses because there are too many, after the time that it requests. If that is
 * longer than five minutes, the failure is thrown. For checks by the operator; syncs have their own pauses.
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
  for (let waited = 0; ; ) {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof SystemError) || error.kind !== 'throttled') throw error;
      // A system that requests no wait is not called endlessly either.
      const seconds = Math.max(error.retryAfter ?? 10, 1);
      waited += seconds;
      if (waited > LONGEST_WAIT) throw error;
      await wait(seconds);
    }
  }
}
