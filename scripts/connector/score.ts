import { type CheckResult, runChecks, type Score, scoreOf } from '@unified/connector-kit';
import type { Command } from '../command-line/command.ts';
import { isOn } from '../command-line/flags.ts';
import { helpLine } from '../command-line/help-line.ts';
import { print } from '../command-line/printing.ts';
import { Refusal } from '../command-line/usage.ts';
import { systemFlags, systemHelp, withSystem } from './checked-system.ts';
import { resultLines } from './report-lines.ts';

export const score: Command = {
  about: 'run the checks and print a score from 0 to 100, with its parts',
  flags: systemFlags,
  help: `Runs the checks of a platform on a running system, and prints its score: the points of the checks that passed, as a share of
those that apply. It measures only reading, and changes nothing. Exit code 1 means that a check failed. docs/coverage.md contains the points of each check.

  npm run connector -- score <platform> --settings FILE [options]
  npm run connector -- score <platform> --recording FILE [options]

Options
${systemHelp.join('\n')}
${helpLine('json', 'Print the score as JSON')}
${helpLine('help', 'This text')}`,
  run: (given) =>
    withSystem({ given, problems: [...given.problems], command: 'score' }, async (system) => {
      const report = await runChecks(system);
      const measured = scoreOf(report);
      print(isOn(given, 'json'), measured, textOf(measured));
      refuseFailed(report.results.filter(({ outcome }) => outcome.result === 'failed'));
    }),
};

/** Throws with the findings of these checks, for which the score shows only the marks. */
function refuseFailed(failed: readonly CheckResult[]): void {
  if (failed.length === 0) return;
  const findings = failed.map(({ check: { name }, outcome }) => resultLines(name, outcome)).join('\n');
  throw new Refusal(`Not every check has passed:\n${findings}`, 'Correct the platform or its settings.');
}

const MARKS = { passed: '✓', failed: '✗', not_applicable: '-' } as const;

function textOf({ platform, score: points, parts, entities }: Score): string {
  const lines = parts.map(
    ({ check, result, weight }) => `${MARKS[result]} ${check.padEnd(22)} ${String(weight).padStart(3)}`,
  );
  return [...lines, '', `${platform}: ${points} of 100, ${entities.length} entities read`].join('\n');
}
