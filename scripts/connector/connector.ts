import { addSandboxPlatform } from '@unified/sandbox';
import type { Command } from '../command-line/command.ts';
import { ownFlags, readFlags, wantsHelp } from '../command-line/flags.ts';
import { exitCodeOf } from '../command-line/run-command.ts';
import { didYouMean, UsageError } from '../command-line/usage.ts';
import { check } from './check.ts';
import { draft } from './draft.ts';
import { newPlatform } from './new.ts';
import { record } from './record.ts';
import { score } from './score.ts';

const commands: Readonly<Record<string, Command>> = { new: newPlatform, draft, check, record, score };

addSandboxPlatform();

/**
 * `npm run connector -- <command> …`: helps with writing platforms. Prints the result to standard output. Returns the exit code:
 * 1 if a check failed, 2 for wrong usage.
 */
export async function connector(args: readonly string[]): Promise<number> {
  return exitCodeOf(() => run(args));
}

async function run(args: readonly string[]): Promise<void> {
  const [first, ...rest] = args;
  if (first === undefined) throw new UsageError(generalHelp());
  if (first.startsWith('-') && wantsHelp(args)) return show(generalHelp());
  const command = Object.hasOwn(commands, first) ? commands[first] : undefined;
  if (!command) {
    const names = Object.keys(commands);
    const known = `They are: ${names.join(', ')}. See: npm run connector -- --help`;
    throw new UsageError(`✗ There is no command "${first}".${didYouMean(first, names)}\n  ${known}`);
  }
  if (wantsHelp(rest)) return show(command.help);
  return command.run(readFlags(rest, { ...command.flags, ...ownFlags }));
}

function generalHelp(): string {
  const lines = Object.entries(commands).map(([name, { about }]) => `  ${name.padEnd(12)} ${about}`);
  return `Helps with writing platforms, and shows how they work with a running system.

  npm run connector -- <command> [options]

Commands
${lines.join('\n')}

  npm run connector -- <command> --help     the options of a command`;
}

function show(text: string): void {
  process.stdout.write(`${text}\n`);
}
