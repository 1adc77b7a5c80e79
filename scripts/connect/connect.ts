import { platformIds, platformOf } from '@unified/connectors';
import { addSandboxPlatform } from '@unified/sandbox';
import type { Command } from '../command-line/command.ts';
import { ownFlags, readFlags, wantsHelp } from '../command-line/flags.ts';
import { exitCodeOf } from '../command-line/run-command.ts';
import { didYouMean, UsageError } from '../command-line/usage.ts';
import { add, addFlags, platformHelp } from './add.ts';
import { generalHelp } from './general-help.ts';
import { list } from './list.ts';
import { mapping } from './mapping.ts';
import { remove } from './remove.ts';
import { sync } from './sync.ts';
import { tables, tablesAbout } from './tables.ts';
import { token } from './token.ts';
import { update, updateAbout } from './update.ts';

const commands: Readonly<Record<string, Command>> = { list, sync, mapping, token, remove };
const help = () =>
  generalHelp({ tables: { about: tablesAbout }, list, sync, update: { about: updateAbout }, mapping, token, remove });

addSandboxPlatform();

/**
 * `npm run connect -- <platform> …` connects a running system; `tables` shows what it contains; `list`, `sync`,
 * `update`, `mapping`, `token` and `remove` manage connections. Prints the result to standard output. Returns the exit code.
 */
export async function connect(args: readonly string[]): Promise<number> {
  return exitCodeOf(() => run(args));
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
