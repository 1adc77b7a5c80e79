import { DefinitionError, platformIds, platformOf, SystemError } from '@unified/connectors';
import { explainFailure } from '@unified/engine';
import { addSandboxPlatform } from '@unified/sandbox';
import { add, addFlags, platformHelp } from './add.ts';
import type { Command } from './command.ts';
import { ownFlags, readFlags, wantsHelp } from './flags.ts';
import { generalHelp } from './general-help.ts';
import { list } from './list.ts';
import { remove } from './remove.ts';
import { tables, tablesAbout } from './tables.ts';
import { token } from './token.ts';
import { update, updateAbout } from './update.ts';
import { didYouMean, Refusal, UsageError } from './usage.ts';

const commands: Readonly<Record<string, Command>> = { list, token, remove };
const help = () => generalHelp({ tables: { about: tablesAbout }, list, update: { about: updateAbout }, token, remove });

addSandboxPlatform();

/**
 * `npm run connect -- <platform> …` connects a running system; `tables` shows what it contains; `list`, `update`,
 * `token` and `remove` manage connections. Prints the result to standard output, or the reason for a failure to
 * standard error. Returns the exit code: 2 for wrong usage, 1 for any other failure.
 */
export async function connect(args: readonly string[]): Promise<number> {
  try {
    await run(args);
    return 0;
  } catch (error) {
    process.stderr.write(`${describe(error)}\n`);
    return error instanceof UsageError ? 2 : 1;
  }
}

async function run(args: readonly string[]): Promise<void> {
  const [first, ...rest] = args;
  if (first === undefined) throw new UsageError(help());
  if (first.startsWith('-') && wantsHelp(args)) return show(help());
  if (first === 'update') return update(rest);
  if (first === 'tables') return tables(rest);
  const command = Object.hasOwn(commands, first) ? commands[first] : undefined;
  if (command) {
    if (wantsHelp(rest)) return show(command.help);
    return command.run(readFlags(rest, { ...command.flags, ...ownFlags }));
  }
  if (!platformIds().includes(first)) throw unknown(first);
  const platform = platformOf(first);
  if (wantsHelp(rest)) return show(platformHelp(platform));
  return add(platform, readFlags(rest, { ...addFlags(platform), ...ownFlags }));
}

function unknown(first: string): UsageError {
  const known = [...platformIds(), 'tables', 'update', ...Object.keys(commands)];
  const problem = `There is no platform or command "${first}".${didYouMean(first, known)}`;
  return new UsageError(`✗ ${problem}\n  They are: ${known.join(', ')}. See: npm run connect -- --help`);
}

function show(text: string): void {
  process.stdout.write(`${text}\n`);
}

function describe(error: unknown): string {
  if (error instanceof UsageError || error instanceof Refusal) return error.message;
  if (error instanceof SystemError) {
    const { problem, remedy } = explainFailure(error);
    return `✗ ${problem}\n  ${remedy}`;
  }
  if (error instanceof DefinitionError) return `✗ The platform cannot be used:\n  ${error.message}`;
  return `✗ ${error instanceof Error ? error.message : error}`;
}
