import { SystemUnderTest } from '@unified/connector-kit';
import type { Platform } from '@unified/connectors';
import { type Given, textOf } from '../command-line/flags.ts';
import { helpLine } from '../command-line/help-line.ts';
import { refuseProblems } from '../command-line/usage.ts';
import { waitForSystem } from '../command-line/wait-for-system.ts';
import { chosenPlatform } from './chosen-platform.ts';
import { withReplay } from './recording-file.ts';
import { settingsFile } from './settings-file.ts';

/** Options of the commands that check a system. */
export const systemFlags = {
  settings: { type: 'string' },
  recording: { type: 'string' },
  rows: { type: 'string' },
} as const;

export const systemHelp: readonly string[] = [
  helpLine('settings', 'File with the settings; - is standard input'),
  helpLine('recording', 'File that "record" wrote, which is used instead of a running system'),
  helpLine('rows', 'Maximum number of rows to read from each stream (10000, or as recorded)'),
];

interface Checked {
  readonly given: Given;
  /** Errors in the command line so far. */
  readonly problems: string[];
  /** Name of the command, for messages. */
  readonly command: string;
}

/** Runs `work` with the system that the command line names. Throws `UsageError` with all errors in the command line. */
export async function withSystem(
  { given, problems, command }: Checked,
  work: (system: SystemUnderTest) => Promise<void>,
): Promise<void> {
  const which = platformArgument(given, problems);
  const rows = numberOf(given, 'rows', problems);
  const [file, recording] = [textOf(given, 'settings'), textOf(given, 'recording')];
  if (file !== undefined && recording !== undefined) problems.push('--settings and --recording exclude each other.');
  if (file === undefined && recording === undefined)
    problems.push('--settings is missing. Send the name of a file with the settings as JSON, or --recording.');
  refuseProblems(problems, `connector -- ${command}`);
  const platform = chosenPlatform(which);
  const limit = rows === undefined ? {} : { rows };
  if (recording === undefined) return inSystem(platform, await settingsFile(platform, file ?? ''), limit, work);
  await withReplay(platform, recording, (replay) => inSystem(platform, replay.settings, { ...replay, ...limit }, work));
}

async function inSystem(
  platform: Platform,
  settings: SystemUnderTest['settings'],
  limit: { readonly rows?: number },
  work: (system: SystemUnderTest) => Promise<void>,
): Promise<void> {
  const system = new SystemUnderTest(platform, settings, { ...limit, wait: waitForSystem });
  try {
    await work(system);
  } finally {
    await system.close();
  }
}

/** The platform that the command line names. Adds a problem unless it is exactly one. */
export function platformArgument({ positionals }: Given, problems: string[]): string {
  const [which = '', ...others] = positionals;
  if (which === '') problems.push('Name a platform, or the path of its folder.');
  problems.push(...others.map((text) => `"${text}" is not expected here.`));
  return which;
}

/** The number of an option. Adds a problem if it is not a whole number of at least 1. */
export function numberOf(given: Given, flag: string, problems: string[]): number | undefined {
  const text = textOf(given, flag);
  if (text === undefined) return undefined;
  if (!/^[1-9]\d{0,8}$/.test(text)) problems.push(`--${flag} must be a whole number of at least 1, not "${text}".`);
  return Number(text);
}
