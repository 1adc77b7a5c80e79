import type { SyncSchedule } from '@unified/store';
import { type Given, textOf } from '../command-line/flags.ts';
import { helpLine } from '../command-line/help-line.ts';

/** The options for the schedule of a connection. */
export const scheduleFlags = { 'sync-every': { type: 'string' }, 'full-every': { type: 'string' } } as const;

const MINUTES = { m: 1, h: 60, d: 1440 } as const;

interface Bounds {
  readonly flag: keyof typeof scheduleFlags;
  readonly part: keyof SyncSchedule;
  /** Minutes in one unit of the part. */
  readonly unit: number;
  /** In minutes. */
  readonly least: number;
  readonly most: number;
  readonly allowed: string;
}

const bounds: readonly Bounds[] = [
  { flag: 'sync-every', part: 'syncEveryMinutes', unit: 1, least: 1, most: 1440, allowed: 'from 1m to 24h' },
  { flag: 'full-every', part: 'fullSyncEveryHours', unit: 60, least: 60, most: 44_640, allowed: 'from 1h to 31d' },
];

export const scheduleHelp: readonly string[] = [
  helpLine('sync-every', 'How often changes are read: 30m, 2h; from 1m to 24h (15m)'),
  helpLine('full-every', 'How often all records are read, which also finds deletions: 12h, 7d; from 1h to 31d (24h)'),
];

/** The parts of a schedule in the command line; errors are added to `problems`. */
export function givenSchedule(given: Given, problems: string[]): Partial<SyncSchedule> {
  const schedule: { -readonly [part in keyof SyncSchedule]?: number } = {};
  for (const { flag, part, unit, least, most, allowed } of bounds) {
    const text = textOf(given, flag);
    if (text === undefined) continue;
    const minutes = minutesOf(text);
    if (minutes === undefined || minutes < least || minutes > most)
      problems.push(`--${flag} must be a number with m, h or d, ${allowed}, not "${text}". Send for example 30m.`);
    else schedule[part] = minutes / unit;
  }
  return schedule;
}

function minutesOf(text: string): number | undefined {
  const [, number, unit] = /^(\d+(?:\.\d+)?)([mhd])$/.exec(text.trim()) ?? [];
  return unit === undefined ? undefined : Number(number) * MINUTES[unit as keyof typeof MINUTES];
}
