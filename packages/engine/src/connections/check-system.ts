import {
  asSentence,
  type Column,
  type CompiledMapping,
  type Driver,
  type DriverLimits,
  keysAsTexts,
  type MissingColumn,
  missingColumns,
  type Platform,
  type Stream,
  type StreamProbe,
  type StreamUse,
  SystemError,
  type TokenStore,
  tableStream,
} from '@unified/connectors';
import { addressedWrites, entityOf } from '@unified/contract';
import { type ConnectionModel, mappingsOf, modelOfPlatform } from '../model/connection-model.ts';
import { allSystems, type Settings, type Systems } from '../model/systems.ts';
import { patientDriver, type Wait } from './patient-driver.ts';

/** What a check found out about a stream of the connected system. */
export interface StreamReport {
  readonly stream: string;
  /** Entities that are derived from it. */
  readonly entities: readonly string[];
  /** Number of columns; null if the system cannot report them. */
  readonly columns: number | null;
  /** Key of one row; null if there are no rows yet. */
  readonly sample: string | null;
  /** Whether no row can be read. */
  readonly blocked: boolean;
}

export interface SystemProblem {
  /** Stream, field or file with the problem. */
  readonly place: string;
  readonly problem: string;
  /** What to do; empty if `problem` includes it. */
  readonly remedy: string;
  /**
   * Whether records would be missing altogether. Other problems leave individual fields empty, or make writes and actions
   * ineffective.
   */
  readonly blocks: boolean;
  /** Whether the user lacks a permission; absent for problems that do not block. */
  readonly isForbidden?: boolean;
}

export interface SystemReport {
  readonly streams: readonly StreamReport[];
  readonly problems: readonly SystemProblem[];
}

/**
 * Maximum number of bytes that a system can send during a check, which reads a few rows of every stream. Limited because
 * applications and end users choose the system.
 */
export const CHECK_LIMITS: DriverLimits = { maxBodyBytes: 4 * 1024 * 1024, maxReceivedBytes: 16 * 1024 * 1024 };

/** What a check needs besides the system. */
export interface CheckParts {
  /** Default: every platform. */
  readonly systems?: Systems;
  /** Keeps tokens that the system replaces during the check. By default, they are lost at the end of the process. */
  readonly tokens?: TokenStore;
  /** Waits if the system requests it. By default, the check then fails. */
  readonly wait?: Wait;
}

/**
 * Signs in to a system and tests everything that a synchronization needs, without changing anything: reads a few rows of every
 * stream, compares the paths of the mappings with its columns, and checks every action. Returns all errors together. Throws
 * `SystemError` when the system cannot be reached or refuses the credentials.
 */
export async function checkSystem(
  platform: Platform,
  settings: Settings,
  { systems = allSystems, tokens, wait }: CheckParts = {},
): Promise<SystemReport> {
  const driver = systems.openDriver(platform, settings, tokens ? { tokens } : {}, CHECK_LIMITS);
  try {
    return await checkWithDriver(wait ? patientDriver(driver, wait) : driver, platform);
  } finally {
    await driver.close();
  }
}

/** Receives notifications about the steps of a check. */
interface Watch {
  signedIn(): void;
  streamChecked(stream: CheckedStream): void;
}

/** The same check with a driver that is already open. */
export async function checkWithDriver(driver: Driver, platform: Platform, watch?: Watch): Promise<SystemReport> {
  const model = modelOfPlatform(platform);
  await signIn(driver);
  watch?.signedIn();
  const checked: CheckedStream[] = [];
  for (const stream of platform.streams) {
    const each = await checkStream(driver, model, stream);
    checked.push(each);
    watch?.streamChecked(each);
  }
  const problems = [
    ...withoutStreams(model, tableStream(platform, { name: 'any', key: ['id'] }) !== undefined),
    ...brokenFiles(model),
    ...unmappedTargets(model),
    ...unaddressedChanges(model),
    ...checked.flatMap((each) => each.problems),
  ];
  return { streams: checked.map(({ report }) => report), problems };
}

/** A connection of a platform without streams has no records until it has streams of its own, which not every protocol allows. */
function withoutStreams({ platform }: ConnectionModel, canBeAdded: boolean): SystemProblem[] {
  if (platform.streams.length > 0 || canBeAdded) return [];
  const remedy = `Add them to platform.yaml; \`npm run connect -- tables ${platform.id}\` lists the tables of the system.`;
  return [{ place: platform.id, problem: 'The platform has no streams.', remedy, blocks: true }];
}

/** References to entities without a mapping, which will never have a record. */
function unmappedTargets({ mappings, broken }: ConnectionModel): SystemProblem[] {
  const mapped = new Set([...Object.keys(mappings), ...broken.map(({ entity }) => entity)]);
  const hasRecords = (name: string) =>
    mapped.has(name) || entityOf(name)?.view?.some(({ entity }) => mapped.has(entity));
  return Object.values(mappings).flatMap(({ entity, references }) =>
    references
      .filter((each) => !hasRecords(each.entity))
      .map(({ field, entity: target }) =>
        warning(`${entity}.${field}`, `The platform has no mapping of ${target}. Add one.`, EFFECT.read),
      ),
  );
}

/**
 * Changes that the API of the entity does not have, while it has the other kind. Not a fault: reversals of creates use an update.
 */
function unaddressedChanges({ mappings }: ConnectionModel): SystemProblem[] {
  return Object.values(mappings).flatMap(({ entity, writes }) => {
    const known = addressedWrites(entity);
    const unknown = CHANGES.find((each) => writes.has(each) && !known.includes(each));
    const other = CHANGES.find((each) => known.includes(each));
    if (unknown === undefined || other === undefined || writes.has(other)) return [];
    const methods = `${entity} has no ${METHODS[unknown]}, so \`${unknown}\` gives clients no way to change it.`;
    return [warning(`${entity}.writes`, `${methods} For ${METHODS[other]}, add \`${other}\`.`, '')];
  });
}

const METHODS = { update: 'PATCH', replace: 'PUT' } as const;
const CHANGES = ['update', 'replace'] as const;

/** Mappings that cannot be used: their records would be missing. */
function brokenFiles({ broken }: ConnectionModel): SystemProblem[] {
  return broken.flatMap(({ problems }) =>
    problems.map(({ file, field, message }) => ({
      place: [file, field].filter(Boolean).join(': '),
      problem: `${message}.`,
      remedy: '',
      blocks: true,
    })),
  );
}

/** Signs in. Refusals are ignored here: the check of each stream finds them again, with more detail. */
async function signIn(driver: Driver): Promise<void> {
  await driver.check().catch((error: unknown) => {
    if (!isAboutStream(error)) throw error;
  });
}

/** A stream with its problems. */
export interface CheckedStream {
  readonly report: StreamReport;
  readonly problems: readonly SystemProblem[];
}

/** The effect of a missing column until the problem is corrected. */
const EFFECT: Readonly<Record<MissingColumn['direction'], string>> = {
  read: 'Until then it stays empty.',
  write: 'Until then writes of it fail.',
};

async function checkStream(driver: Driver, model: ConnectionModel, stream: Stream): Promise<CheckedStream> {
  const { name } = stream;
  const mappings = mappingsOf(model, name);
  const entities = mappings.map(({ entity }) => entity);
  const acts = mappings.flatMap(({ actions }) => Object.values(actions).flatMap((action) => action.acts));
  const writes = new Set(mappings.flatMap((mapping) => [...mapping.writes]));
  try {
    const columns = (await driver.discover?.columns(stream)) ?? null;
    const tables = (await driver.discover?.written?.(stream)) ?? null;
    const { sample, problems, notes } = await probe(driver, stream, { actions: [...new Set(acts)], writes });
    const warnings = [
      ...(columns === null ? [] : mappings.flatMap((mapping) => missingColumns(mapping, columns, tables))).map(
        ({ entity, field, direction, message }) => warning(`${entity}.${field}`, message, EFFECT[direction]),
      ),
      ...mappings.flatMap((mapping) => keyProblems(mapping, columns ?? [])),
      ...problems.map((problem) =>
        warning(name, `action ${problem}.`, 'Correct the action in the platform, or the system.'),
      ),
      ...notes.map((note) => warning(name, note, '')),
    ];
    const count = columns?.length ?? null;
    return {
      report: { stream: name, entities, columns: count, sample: sample?.key ?? null, blocked: false },
      problems: warnings,
    };
  } catch (error) {
    if (!isAboutStream(error)) throw error;
    const isForbidden = error.kind === 'forbidden';
    const remedy = isForbidden
      ? 'Grant the user the privilege to read it.'
      : 'Correct the stream in the platform, or the system.';
    return {
      report: { stream: name, entities, columns: null, sample: null, blocked: true },
      problems: [{ place: name, problem: asSentence(error.words), remedy, blocks: true, isForbidden }],
    };
  }
}

function keyProblems(mapping: CompiledMapping, columns: readonly Column[]): SystemProblem[] {
  return keysAsTexts(mapping, columns).map(({ field, column, table }) =>
    warning(
      `${mapping.entity}.${field}`,
      `"${column}" is the key of a ${table}, not a text.`,
      'Read a text of that record instead, or remove the field.',
    ),
  );
}

/** Without discovery, only reading one row can be tested. */
async function probe(driver: Driver, stream: Stream, use: StreamUse): Promise<StreamProbe> {
  if (driver.discover) return driver.discover.probe(stream, use);
  const { rows } = await driver.pull({ stream, from: null, limit: 1 });
  return { sample: rows[0] ?? null, problems: [], notes: [] };
}

function warning(place: string, problem: string, remedy: string): SystemProblem {
  return { place, problem, remedy, blocks: false };
}

/** Whether the system accepted the credentials and refused only part of what was requested. */
function isAboutStream(error: unknown): error is SystemError {
  return error instanceof SystemError && (error.kind === 'rejected' || error.kind === 'forbidden');
}
