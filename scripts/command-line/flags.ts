import { parseArgs } from 'node:util';
import { didYouMean } from './usage.ts';

/** Options of a command by name, without the dashes. */
export type Flags = Readonly<Record<string, { readonly type: 'string' | 'boolean' }>>;

/** The content of the command line, and all errors in it. */
export interface Given {
  readonly values: ReadonlyMap<string, string | boolean>;
  readonly positionals: readonly string[];
  readonly problems: readonly string[];
}

/** Options that every command has. */
export const ownFlags = { help: { type: 'boolean' }, json: { type: 'boolean' } } as const;

/** Whether help is requested, even if there are errors. */
export function wantsHelp(args: readonly string[]): boolean {
  const end = args.indexOf('--');
  return args.slice(0, end < 0 ? args.length : end).some((arg) => arg === '--help' || arg === '-h');
}

/** Reads a command line. Continues after invalid options, so that all of them are reported. */
export function readFlags(args: readonly string[], flags: Flags): Given {
  const values = new Map<string, string | boolean>();
  const positionals: string[] = [];
  const problems: string[] = [];
  const options = { ...flags };
  const { tokens } = parseArgs({ args: [...args], options, strict: false, allowPositionals: true, tokens: true });
  let unknownAt: number | undefined;
  for (const token of tokens) {
    if (token.kind === 'positional') {
      // The text after an unknown option is probably its value.
      if (unknownAt === undefined || token.index !== unknownAt + 1) positionals.push(token.value);
      continue;
    }
    if (token.kind !== 'option') continue;
    const read = readOption(token, flags);
    if (read === undefined) unknownAt = token.index;
    if (read === undefined) problems.push(unknownOption(token.rawName, flags));
    else if ('problem' in read) problems.push(read.problem);
    else if (values.has(read.name)) problems.push(`--${read.name} is given twice.`);
    else values.set(read.name, read.value);
  }
  return { values, positionals, problems };
}

interface OptionToken {
  readonly name: string;
  readonly rawName: string;
  readonly value?: string | undefined;
  readonly inlineValue?: boolean | undefined;
}

function readOption({ name, rawName, value, inlineValue }: OptionToken, flags: Flags) {
  const positive = name.startsWith('no-') ? name.slice(3) : undefined;
  if (positive !== undefined && typeOf(positive, flags) === 'boolean') return { name: positive, value: false };
  const type = typeOf(name, flags);
  if (type === undefined || !rawName.startsWith('--')) return undefined;
  if (type === 'boolean') {
    return value === undefined ? { name, value: true } : { problem: `--${name} has no value; remove "=${value}".` };
  }
  if (value === undefined || (!inlineValue && value.startsWith('--'))) return { problem: `--${name} needs a value.` };
  return { name, value };
}

function typeOf(name: string, flags: Flags) {
  return Object.hasOwn(flags, name) ? flags[name]?.type : undefined;
}

function unknownOption(rawName: string, flags: Flags): string {
  return `There is no option ${rawName}.${didYouMean(rawName.replace(/^-+/, ''), Object.keys(flags), '--')}`;
}

/** The text of an option; undefined if it is absent. */
export function textOf({ values }: Given, name: string): string | undefined {
  const value = values.get(name);
  return typeof value === 'string' ? value : undefined;
}

/** Whether a switch is on. */
export function isOn({ values }: Given, name: string): boolean {
  return values.get(name) === true;
}

/** The text of an option that must not be empty. Adds a problem if it is. */
export function filled(given: Given, name: string, problems: string[]): string | undefined {
  const text = textOf(given, name)?.trim();
  if (text === '') problems.push(`--${name} is empty. Send a text.`);
  return text;
}
