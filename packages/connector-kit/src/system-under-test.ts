import { setTimeout as pause } from 'node:timers/promises';
import { type Driver, type Json, openDriver, type Platform, type Stream } from '@unified/connectors';
import { patientDriver, type Wait } from '@unified/engine';
import { type Survey, surveyOf } from './survey.ts';

/** Settings of a connection by name. They contain secrets. */
export type Settings = Readonly<Record<string, Json>>;

export interface CheckOptions {
  /** Maximum number of rows that are read from each stream. Default 10,000. */
  readonly rows?: number;
  /** Opens every session of the checks, except those of `checkSystem`. Defaults to `openDriver`. */
  readonly open?: (platform: Platform, settings: Settings) => Driver;
  /** Waits if the system requests it because there are too many calls. Defaults to a timer. */
  readonly wait?: Wait;
}

const DEFAULT_ROWS = 10_000;

/** A running system that checks are run against. `close` ends the session that they share. */
export class SystemUnderTest {
  readonly platform: Platform;
  readonly settings: Settings;
  readonly rows: number;
  readonly wait: Wait;
  readonly #open: (platform: Platform, settings: Settings) => Driver;
  readonly #surveys = new Map<string, Promise<Survey>>();
  #driver: Driver | undefined;

  constructor(
    platform: Platform,
    settings: Settings,
    { rows = DEFAULT_ROWS, open = openDriver, wait = (seconds) => pause(seconds * 1000) }: CheckOptions = {},
  ) {
    this.platform = platform;
    this.settings = settings;
    this.rows = rows;
    this.wait = wait;
    this.#open = (...given) => patientDriver(open(...given), wait);
  }

  /** The session that most checks share. */
  get driver(): Driver {
    this.#driver ??= this.#open(this.platform, this.settings);
    return this.#driver;
  }

  /**
   * Runs `work` in another session, in which `settings` override those of the system. Throws `SystemError` if they cannot be
   * used.
   */
  async withSession<T>(settings: Settings, work: (driver: Driver) => Promise<T>): Promise<T> {
    const driver = this.#open(this.platform, { ...this.settings, ...settings });
    try {
      return await work(driver);
    } finally {
      await driver.close();
    }
  }

  /** The survey of one full pass over a stream. It is read once, so that checks can share it. */
  survey(stream: Stream): Promise<Survey> {
    const known = this.#surveys.get(stream.name) ?? this.surveyAgain(stream);
    this.#surveys.set(stream.name, known);
    return known;
  }

  /** The survey of a new pass. */
  surveyAgain(stream: Stream): Promise<Survey> {
    const mappings = Object.values(this.platform.mappings).filter((mapping) => mapping.stream === stream.name);
    return surveyOf(this.driver, stream, { mappings, most: this.rows });
  }

  async close(): Promise<void> {
    await this.#driver?.close();
    this.#driver = undefined;
  }
}
