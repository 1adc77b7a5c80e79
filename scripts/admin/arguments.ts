import type { Given } from '../command-line/flags.ts';

/** The arguments of a command line by name, and all errors in it. */
export interface NamedArguments<Name extends string> {
  readonly texts: Readonly<Record<Name, string>>;
  readonly problems: string[];
}

/** Reads one argument for each name. Missing, empty and extra arguments are problems. */
export function namedArguments<Name extends string>(given: Given, names: readonly Name[]): NamedArguments<Name> {
  const texts = Object.fromEntries(names.map((name, index) => [name, given.positionals[index]?.trim() ?? '']));
  const missing = names
    .filter((name) => texts[name] === '')
    .map((name) => `The ${name} is missing. Add it to the command.`);
  const others = given.positionals.slice(names.length).map((text) => `"${text}" is not expected here.`);
  return { texts: texts as Record<Name, string>, problems: [...given.problems, ...missing, ...others] };
}
