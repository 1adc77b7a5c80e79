import { type Driver, type Platform, SystemError } from '@unified/connectors';
import { modelOfPlatform, streamOf } from '../model/connection-model.ts';
import { allSystems, type Settings } from '../model/systems.ts';
import { CHECK_LIMITS, type CheckedStream, type CheckParts, checkWithDriver } from './check-system.ts';
import { causeOf, type FailureCause } from './explain-failure.ts';

/** A table or model of the system, after it was checked. */
export interface StreamOutcome {
  readonly stream: string;
  /** Entities that are derived from it. */
  readonly entities: readonly string[];
  /** Why no row can be read; null if rows can be read. */
  readonly refusal: {
    /** Message of the system. */
    readonly words: string;
    /** Whether the user lacks a permission; otherwise the system lacks the table, or part of it. */
    readonly isForbidden: boolean;
  } | null;
}

/** Some records of an entity, as they would be copied. */
export interface Preview {
  readonly entity: string;
  readonly records: readonly { readonly code: string; readonly name: string }[];
}

/** Progress of the check of a system that an end user connects. */
export interface CheckProgress {
  readonly phase: 'connecting' | 'reading' | 'previewing' | 'accepted' | 'refused';
  /** Number of tables or models that must be readable. */
  readonly total: number;
  readonly streams: readonly StreamOutcome[];
  readonly previews: readonly Preview[];
  /** Why the check could not be finished. */
  readonly failure: {
    readonly cause: FailureCause;
    /** Whether the system was reached, and refused the credentials or a call. */
    readonly isReached: boolean;
    /** Message of the system, or why there is none; empty if it is not intended for end users. */
    readonly words: string;
  } | null;
}

/** The progress of a check before any call. */
export function initialProgress(platform: Platform): CheckProgress {
  return { phase: 'connecting', total: platform.streams.length, streams: [], previews: [], failure: null };
}

/** Follows a check, and ends it. */
export interface CheckWatch {
  /** Called after each step. */
  onStep(progress: CheckProgress): void;
  /** Refuses the system when it aborts. The call in progress then ends when its own time limit is reached. */
  readonly signal: AbortSignal;
}

/**
 * Signs in to a system, reads one row of every stream and the first records of some entities, and changes nothing. The
 * system is accepted if every stream can be read. Failures of the system are part
 * of the result.
 */
export async function checkWithProgress(
  platform: Platform,
  settings: Settings,
  { systems = allSystems, tokens, onStep, signal }: CheckWatch & CheckParts,
): Promise<CheckProgress> {
  let progress = initialProgress(platform);
  const advance = (change: Partial<CheckProgress>) => {
    progress = { ...progress, ...change };
    onStep(progress);
  };
  const step = (change: Partial<CheckProgress>) => {
    signal.throwIfAborted();
    advance(change);
  };
  const check = async (opened: Driver) => {
    const { problems } = await checkWithDriver(opened, platform, {
      signedIn: () => step({ phase: 'reading' }),
      streamChecked: (stream) => step({ streams: [...progress.streams, streamOutcome(stream)] }),
    });
    if (problems.some(({ blocks }) => blocks)) return step({ phase: 'refused' });
    step({ phase: 'previewing' });
    step({ phase: 'accepted', previews: await previewsOf(opened, platform) });
  };
  let driver: Driver | undefined;
  try {
    driver = systems.openDriver(platform, settings, tokens ? { tokens } : {}, CHECK_LIMITS);
    await orAborted(check(driver), signal);
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
    advance({ phase: 'refused', failure: failureOf(error, progress) });
  } finally {
    await driver?.close();
  }
  return progress;
}

/** Rejects with a `SystemError` when the signal aborts first. */
async function orAborted(work: Promise<void>, signal: AbortSignal): Promise<void> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const onAbort = () => reject(new SystemError('unavailable', 'The system took too long'));
  if (signal.aborted) onAbort();
  signal.addEventListener('abort', onAbort, { once: true });
  await Promise.race([work, aborted]).finally(() => signal.removeEventListener('abort', onAbort));
}

function streamOutcome({ report, problems }: CheckedStream): StreamOutcome {
  const { stream, entities } = report;
  const blocking = problems.find(({ blocks }) => blocks);
  const refusal = blocking ? { words: blocking.problem, isForbidden: blocking.isForbidden ?? false } : null;
  return { stream, entities, refusal };
}

/** Kinds of errors that a system returns itself. */
const FROM_SYSTEM: ReadonlySet<string> = new Set(['unauthorized', 'forbidden', 'rejected', 'throttled', 'payment']);

function failureOf(error: SystemError, { phase }: CheckProgress): CheckProgress['failure'] {
  const cause = causeOf(error);
  // These messages name hosts and addresses in the network of the service.
  const words = cause === 'no-public-address' ? '' : error.words;
  return { cause, isReached: phase !== 'connecting' || FROM_SYSTEM.has(error.kind), words };
}

/** Entities whose records users recognize, best first. */
const RECOGNIZED = ['Vendor', 'Customer', 'InventoryItem', 'WorkOrder', 'Account', 'PurchaseOrder', 'Invoice'];
const MOST_PREVIEWS = 3;
const MOST_RECORDS = 4;
/** Number of rows to read for a preview, since rows of a stream can belong to other entities. */
const ROWS = 50;

async function previewsOf(driver: Driver, platform: Platform): Promise<Preview[]> {
  const previews: Preview[] = [];
  for (const entity of RECOGNIZED) {
    if (previews.length === MOST_PREVIEWS) break;
    const records = await firstRecords(driver, platform, entity);
    if (records.length > 0) previews.push({ entity, records });
  }
  return previews;
}

async function firstRecords(driver: Driver, platform: Platform, entity: string): Promise<Preview['records']> {
  const model = modelOfPlatform(platform);
  const mapping = model.mappings[entity];
  const stream = streamOf(model, entity);
  if (!mapping || !stream) return [];
  const { rows } = await driver.pull({ stream, from: null, limit: ROWS });
  const records = rows.flatMap((row) => mapping.read(row) ?? []).filter(({ deletedAt }) => !deletedAt);
  return records.slice(0, MOST_RECORDS).map(({ values }) => {
    const [code, name] = [String(values.code ?? ''), String(values._displayValue ?? '')];
    return { code, name: name === code ? '' : name };
  });
}
