import { runChecks, type Score, scoreOf } from '@unified/connector-kit';
import type { Command } from '../command-line/command.ts';
import { isOn } from '../command-line/flags.ts';
import { helpLine } from '../command-line/help-line.ts';
import { print } from '../command-line/printing.ts';
import { systemFlags, systemHelp, withSystem } from './checked-system.ts';

export const score: Command = {
  about: 'run the checks and print a score from 0 to 100, with its parts',
  flags: systemFlags,
  help: `Runs the checks of a platform on a running system, and prints its score: the points of the checks that passed, as a share of
those that apply. It measures reading only, and changes nothing. docs/coverage.md contains the points of each check.

  npm run connector -- score <platform> --settings FILE [options]

Options
${systemHelp.join('\n')}
${helpLine('json', 'Print the score as JSON')}
${helpLine('help', 'This text')}`,
  run: (given) =>
    withSystem({ given, problems: [...given.problems], command: 'score' }, async (system) => {
      const measured = scoreOf(await runChecks(system));
      print(isOn(given, 'json'), measured, textOf(measured));
    }),
};

const MARKS = { passed: '✓', failed: '✗', not_applicable: '-' } as const;

function textOf({ platform, score: points, parts, entities }: Score): string {
  const lines = parts.map(
    ({ check, result, weight }) => `${MARKS[result]} ${check.padEnd(22)} ${String(weight).padStart(3)}`,
  );
  return [...lines, '', `${platform}: ${points} of 100, ${entities.length} entities read`].join('\n');
}
