import type { Command } from '../command-line/command.ts';
import { ownFlags, readFlags, wantsHelp } from '../command-line/flags.ts';
import { exitCodeOf } from '../command-line/run-command.ts';
import { didYouMean, UsageError } from '../command-line/usage.ts';
import { applicationCommands } from './applications.ts';
import { backupCommand, restoreCommand } from './backup.ts';
import { connectionCommands } from './connections.ts';
import { distributeCommand } from './distribute.ts';
import { keyCommands } from './keys.ts';
import { masterKeyCommands } from './master-key.ts';
import { migrateCommand } from './migration.ts';
import { moveCommand } from './move.ts';
import { operatorCommands } from './operators.ts';
import { secretCommands } from './secrets.ts';
import { tokenCommands } from './tokens.ts';

type Commands = Readonly<Record<string, Command>>;

/** Commands that consist of one word. */
const alone: Commands = {
  backup: backupCommand,
  restore: restoreCommand,
  migrate: migrateCommand,
  move: moveCommand,
  distribute: distributeCommand,
};

const subjects: Readonly<Record<string, Commands>> = {
  application: applicationCommands,
  connection: connectionCommands,
  operator: operatorCommands,
  secret: secretCommands,
  token: tokenCommands,
  key: { ...keyCommands, ...masterKeyCommands },
};

/** `npm run admin -- <subject> <command> …` manages the applications of this installation. Returns the exit code. */
export async function admin(args: readonly string[]): Promise<number> {
  return exitCodeOf(() => run(args));
}

async function run(args: readonly string[]): Promise<void> {
  const [subject, verb, ...rest] = args;
  if (subject === undefined) throw new UsageError(generalHelp());
  if (subject.startsWith('-') && wantsHelp(args)) return show(generalHelp());
  if (Object.hasOwn(alone, subject)) return runCommand(named(subject, alone, ''), args.slice(1));
  const commands = named(subject, { ...alone, ...subjects }, '') as Commands;
  if (verb === undefined) throw new UsageError(helpOf(subject, commands));
  if (verb.startsWith('-') && wantsHelp(args)) return show(helpOf(subject, commands));
  return runCommand(named(verb, commands, `${subject} `), rest);
}

async function runCommand(command: Command, args: readonly string[]): Promise<void> {
  if (wantsHelp(args)) return show(command.help);
  return command.run(readFlags(args, { ...command.flags, ...ownFlags }));
}

/** The entry with this name. `before` is the part of the command line before it. Throws `UsageError`. */
function named<Value>(name: string, values: Readonly<Record<string, Value>>, before: string): Value {
  const value = Object.hasOwn(values, name) ? values[name] : undefined;
  if (value !== undefined) return value;
  const known = Object.keys(values);
  const problem = `There is no command "${before}${name}".${didYouMean(name, known, before)}`;
  const all = known.map((each) => before + each).join(', ');
  throw new UsageError(`✗ ${problem}\n  They are: ${all}. See: npm run admin -- --help`);
}

function generalHelp(): string {
  return `Manages the applications of this installation, their secrets and tokens, the operators of the console, the keys that sign tokens and encrypt secrets,
backups, the move to your own PostgreSQL, and its distribution over several servers, between which connections can be moved. Changes apply to a running server within seconds.

  npm run admin -- <subject> <command> [options]

Commands
${[...Object.entries(subjects).flatMap(linesOf), ...Object.entries(alone).map(([name, { about }]) => lineOf(name, about))].join('\n')}

  npm run admin -- <subject> <command> --help    the options of a command`;
}

function helpOf(subject: string, commands: Commands): string {
  return `npm run admin -- ${subject} <command> [options]\n\nCommands\n${linesOf([subject, commands]).join('\n')}`;
}

function linesOf([subject, commands]: readonly [string, Commands]): string[] {
  return Object.entries(commands).map(([verb, { about }]) => lineOf(`${subject} ${verb}`, about));
}

function lineOf(name: string, about: string): string {
  return `  ${name.padEnd(20)} ${about}`;
}

function show(text: string): void {
  process.stdout.write(`${text}\n`);
}
