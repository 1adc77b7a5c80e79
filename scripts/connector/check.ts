import {
  afterSignIn,
  type CheckResult,
  everyCheck,
  type FaultOptions,
  runChecks,
  type SystemUnderTest,
  survivedFaults,
} from '@unified/connector-kit';
import type { Command } from '../command-line/command.ts';
import { isOn } from '../command-line/flags.ts';
import { helpLine } from '../command-line/help-line.ts';
import { numberOf, systemFlags, systemHelp, withSystem } from './checked-system.ts';
import { refuseFailed, resultLines, summaryLine } from './report-lines.ts';

const list = everyCheck.map(({ name, asserts }) => `  ${name.padEnd(22)} ${asserts}`).join('\n');

export const check: Command = {
  about: 'check how a platform works with a running system',
  flags: { ...systemFlags, faults: { type: 'string' }, seed: { type: 'string' } },
  help: `Checks a platform against a running system, without changing anything in it. Exit code 1 means that a check failed.

  npm run connector -- check <platform> --settings FILE [options]
  npm run connector -- check <platform> --recording FILE [options]

<platform> is the id of a platform, or the path of its folder. FILE contains the settings of a connection as JSON, such as
{ "url": "…", "token": "…" }; it should be readable only by you.

Options
${systemHelp.join('\n')}
${helpLine('faults', 'Also read every stream N times through a proxy that injects faults')}
${helpLine('seed', 'Seed of the first of these passes, to repeat it (1)')}
${helpLine('json', 'Print the report as JSON')}
${helpLine('help', 'This text')}

Checks
${list}`,
  async run(given) {
    const problems = [...given.problems];
    const passes = numberOf(given, 'faults', problems);
    const seed = numberOf(given, 'seed', problems) ?? 1;
    await withSystem({ given, problems, command: 'check' }, (system) =>
      report(system, passes === undefined ? null : { passes, seed }, isOn(given, 'json')),
    );
  },
};

/** Without `--json`, each check is printed as soon as it has ended, because checks can take minutes. */
async function report(system: SystemUnderTest, faults: FaultOptions | null, asJson: boolean): Promise<void> {
  const printed = ({ check: { name }, outcome }: CheckResult) =>
    process.stdout.write(`${resultLines(name, outcome)}\n`);
  const checks = faults ? [...afterSignIn, survivedFaults(faults)] : afterSignIn;
  const result = await runChecks(system, { checks, ...(!asJson && { onResult: printed }) });
  process.stdout.write(asJson ? `${JSON.stringify(result, null, 2)}\n` : `\n${summaryLine(result)}\n`);
  refuseFailed(result);
}
