import { parseArgs } from 'node:util';
import { type Json, type Platform, platformIds, platformOf } from '@unified/connectors';

/** What the command line asks for. */
export interface Arguments {
  readonly platform: Platform;
  readonly name: string;
  readonly application: string;
  /** Settings given so far; secret ones may be missing. */
  readonly settings: Readonly<Record<string, Json>>;
}

interface Setting {
  readonly type?: string;
  readonly title?: string;
  readonly description?: string;
  readonly default?: Json;
  readonly items?: { readonly type?: string };
}

type Flag = { readonly type: 'string' | 'boolean' };

/** A message for people, not a fault. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Reads the arguments. Throws UsageError with help when they cannot be used, or help was asked for. */
export function readArguments(args: readonly string[]): Arguments {
  const [id, ...rest] = args;
  if (id === undefined || id.startsWith('-')) throw new UsageError(generalHelp());
  if (!platformIds().includes(id)) throw new UsageError(`There is no platform "${id}".\n\n${generalHelp()}`);
  const platform = platformOf(id);
  const settings = settingsOf(platform);
  const flags = Object.fromEntries(
    [...settings].map(([name, { type }]) => [
      flagOf(name),
      { type: type === 'boolean' ? 'boolean' : 'string' } as Flag,
    ]),
  );
  const values: Readonly<Record<string, string | boolean | undefined>> = parse(platform, rest, flags).values;
  if (values.help) throw new UsageError(platformHelp(platform));
  const given = [...settings].flatMap(([name, setting]) => {
    const text = values[flagOf(name)];
    if (typeof text === 'boolean') return [[name, text]];
    return typeof text === 'string' ? [[name, readValue(text, setting, flagOf(name))]] : [];
  });
  return {
    platform,
    name: typeof values.name === 'string' ? values.name : platform.name,
    application: typeof values.application === 'string' ? values.application : 'Default',
    settings: Object.fromEntries(given),
  };
}

function parse(platform: Platform, args: readonly string[], flags: Record<string, Flag>) {
  const own = { name: { type: 'string' }, application: { type: 'string' }, help: { type: 'boolean' } } as const;
  try {
    return parseArgs({ args: [...args], options: { ...flags, ...own } });
  } catch (error) {
    throw new UsageError(`${error instanceof Error ? error.message : error}\n\n${platformHelp(platform)}`);
  }
}

/** Settings of a platform by name, in the order of its file. */
export function settingsOf(platform: Platform): ReadonlyMap<string, Setting> {
  return new Map(Object.entries((platform.settings.properties ?? {}) as Record<string, Setting>));
}

/** `timeoutSeconds` is `--timeout-seconds`. */
function flagOf(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

function readValue(text: string, { type }: Setting, flag: string): Json {
  if (type === 'array') return text.split(',').map((item) => item.trim());
  if (type !== 'integer' && type !== 'number') return text;
  const number = Number(text);
  if (text.trim() === '' || !Number.isFinite(number)) throw new UsageError(`--${flag} takes a number, not "${text}".`);
  return number;
}

function generalHelp(): string {
  const lines = platformIds().map((id) => `  ${id.padEnd(12)} ${platformOf(id).description}`);
  return `Connects a running system: checks it, stores the connection and starts the first sync.

  npm run connect -- <platform> [options]

Platforms
${lines.join('\n')}

  npm run connect -- <platform> --help    the settings of a platform`;
}

function platformHelp(platform: Platform): string {
  const required = (platform.settings.required ?? []) as readonly string[];
  const lines = [...settingsOf(platform)].map(([name, { title, description }]) => {
    const notes = [
      required.includes(name) ? 'required' : '',
      platform.secrets.includes(name) ? 'asked for when absent' : '',
    ];
    const note = notes.filter(Boolean).join(', ');
    return `  --${flagOf(name).padEnd(22)} ${[title, description].filter(Boolean).join(': ')}${note ? ` (${note})` : ''}`;
  });
  return `Connects ${platform.name}. ${platform.description}

  npm run connect -- ${platform.id} [options]

${lines.join('\n')}
  --${'name'.padEnd(22)} Name of the connection
  --${'application'.padEnd(22)} Application that it belongs to; made when it is missing (Default)

The database is the one of \`npm start\`: DATABASE_URL, or the embedded one in DATA_DIR.`;
}
