import { relative, resolve } from 'node:path';
import {
  type CheckResult,
  type Recorder,
  readPagesOfFaultPasses,
  runChecks,
  SystemUnderTest,
  startRecorder,
  writeRecording,
} from '@unified/connector-kit';
import type { Platform } from '@unified/connectors';
import type { Command } from '../command-line/command.ts';
import { filled, textOf } from '../command-line/flags.ts';
import { helpLine } from '../command-line/help-line.ts';
import { Refusal, refuseProblems } from '../command-line/usage.ts';
import { waitForSystem } from '../command-line/wait-for-system.ts';
import { numberOf, platformArgument } from './checked-system.ts';
import { chosenPlatform } from './chosen-platform.ts';
import { refuseFailed, resultLines, summaryLine } from './report-lines.ts';
import { settingsFile } from './settings-file.ts';

const DEFAULT_ROWS = 200;

export const record: Command = {
  about: 'record the exchanges with a running system, so that checks can run without it',
  flags: { settings: { type: 'string' }, rows: { type: 'string' }, to: { type: 'string' } },
  help: `Runs the checks of a platform on a running system through a proxy on this machine, and writes every request and response to a
file. "check" and "score" then run on the file instead of the system: npm run connector -- check <platform> --recording FILE
Only systems that are called over HTTP can be recorded. Nothing is changed in the system.

  npm run connector -- record <platform> --settings FILE --to FILE [options]

Not recorded: Authorization and Cookie headers, other headers with keys and tokens, and all headers of responses that the platform
does not read. Replaced everywhere: the secrets of the settings, tokens and cookies that the system issues, the values of
properties and parameters with names such as password, token, secret or api_key, and the address of the system. The rows are
recorded as they are: use a system whose data may be shared, and read the file before you do.

Options
${helpLine('settings', 'File with the settings; - is standard input')}
${helpLine('to', 'File to write, such as my-erp.recording.jsonl')}
${helpLine('rows', `Maximum number of rows to read from each stream (${DEFAULT_ROWS})`)}
${helpLine('help', 'This text')}`,
  async run(given) {
    const problems = [...given.problems];
    const which = platformArgument(given, problems);
    const rows = numberOf(given, 'rows', problems) ?? DEFAULT_ROWS;
    const file = textOf(given, 'settings');
    if (file === undefined) problems.push('--settings is missing. Send the name of a file with the settings as JSON.');
    const to = filled(given, 'to', problems);
    if (to === undefined) problems.push('--to is missing. Send the name of the file to write.');
    refuseProblems(problems, 'connector -- record');
    const platform = chosenPlatform(which);
    const recorder = await startRecorder(platform, await settingsFile(platform, file ?? ''));
    if (recorder === null) {
      const remedy = 'Only systems called over HTTP can be recorded. If the platform has the setting `url`, set it.';
      throw new Refusal('The settings contain no HTTP address.', remedy);
    }
    try {
      await recordChecks(platform, recorder, { rows, to: resolve(to ?? ''), which });
    } finally {
      await recorder.close();
    }
  },
};

/** Also reads the pages that `check --faults` reads. */
async function recordChecks(
  platform: Platform,
  recorder: Recorder,
  { rows, to, which }: { readonly rows: number; readonly to: string; readonly which: string },
): Promise<void> {
  const system = new SystemUnderTest(platform, recorder.settings, { rows, wait: waitForSystem });
  const onResult = ({ check: { name }, outcome }: CheckResult) =>
    process.stdout.write(`${resultLines(name, outcome)}\n`);
  try {
    const report = await runChecks(system, { onResult });
    const isSignedIn = report.results[0]?.outcome.result === 'passed';
    if (isSignedIn) await readPagesOfFaultPasses(system);
    const { recording, removed, left } = recorder.recording(rows);
    if (left.length > 0) throw secretsLeft(left);
    await writeRecording(to, recording);
    const path = relative('', to);
    const next = `npm run connector -- check ${which} --recording ${path}`;
    process.stdout.write(
      `\n${summaryLine(report)}\n✓ ${path}: ${recording.exchanges.length} exchanges, ${removed} secrets replaced\n\nRead the file before you share it. To run the checks on it:\n  ${next}\n`,
    );
    refuseFailed(report);
  } finally {
    await system.close();
  }
}

/** Nothing is written then. */
function secretsLeft(settings: readonly string[]): Refusal {
  return new Refusal(
    `The recording would contain the secret ${settings.length === 1 ? 'setting' : 'settings'} ${settings.join(' and ')}, in a form that is not replaced, such as the name of a property.`,
    'Record with a login whose secrets the system does not return.',
  );
}
