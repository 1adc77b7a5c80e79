import { type Driver, SystemError } from '@unified/connectors';
import { repeated } from '../drivers/retry-policy.ts';

/** Waits for as many seconds as a system has requested. */
export type Wait = (seconds: number) => Promise<void>;

/** Maximum number of seconds that one call waits in all. */
const LONGEST_WAIT = 300;

/** Maximum number of times that one call waits for a system that is unavailable, which may be so for longer than it states. */
const MOST_OUTAGES = 3;

/**
 * The driver, which repeats reads that the system refuses because there are too many, or because it is unavailable, after the time
 * that it requests. If one read had to wait for more than five minutes in all, the failure is thrown. For checks by the operator;
 * syncs have their own pauses.
 */
export function patientDriver(driver: Driver, wait: Wait): Driver {
  const { changes, discover } = driver;
  const catalog = discover?.catalog;
  return {
    ...patiently(driver, ['check', 'pull', 'read', 'version'], wait),
    ...(changes && { changes: patiently(changes, ['mark', 'pull', 'reported'], wait) }),
    ...(discover && {
      discover: {
        ...patiently(discover, ['columns', 'unwatched', 'written', 'probe'], wait),
        ...(catalog && { catalog: patiently(catalog, ['tables', 'columns', 'lists', 'options', 'optionsFor'], wait) }),
      },
    }),
  };
}

type Call = (...given: never[]) => Promise<unknown>;

/** Names of the asynchronous functions of a part of a driver. */
type NamesOfCalls<Part> = { [Name in keyof Part]-?: Part[Name] extends Call | undefined ? Name : never }[keyof Part];

/** A part of a driver, of whose functions the named ones, which read from the system, are repeated. */
function patiently<Part extends object>(part: Part, reads: readonly NamesOfCalls<Part>[], wait: Wait): Part {
  const patient = reads.flatMap((name) => {
    const read = part[name] as Call | undefined;
    if (!read) return [];
    const call = (...given: never[]) =>
      repeated(
        () => read.apply(part, given),
        waitsOfCall(),
        (ms) => wait(ms / 1000),
      );
    return [[name, call] as const];
  });
  return { ...part, ...Object.fromEntries(patient) };
}

/** Returns how many milliseconds one call waits after each of its failures; undefined if it is not repeated. */
function waitsOfCall(): (error: unknown) => number | undefined {
  let waited = 0;
  let outages = 0;
  return (error) => {
    const seconds = secondsToWait(error);
    if (seconds === undefined) return undefined;
    waited += seconds;
    outages += error instanceof SystemError && error.kind === 'unavailable' ? 1 : 0;
    return waited > LONGEST_WAIT || outages > MOST_OUTAGES ? undefined : seconds * 1000;
  };
}

/** Seconds after which a call can be repeated; undefined if this cannot be expected. */
function secondsToWait(error: unknown): number | undefined {
  if (!(error instanceof SystemError)) return undefined;
  const { kind, retryAfter } = error;
  // A system that requests no wait is not called endlessly either.
  if (kind === 'throttled') return Math.max(retryAfter ?? 10, 1);
  return kind === 'unavailable' && retryAfter !== undefined ? Math.max(retryAfter, 1) : undefined;
}
