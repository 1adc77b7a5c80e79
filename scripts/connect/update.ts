import {
  type Json,
  type Platform,
  platformOf,
  requiredSettings,
  settingsOf,
  settingsProblems,
} from '@unified/connectors';
import { SystemConnected, updateConnection } from '@unified/engine';
import {
  type Connection,
  ConnectionNameTaken,
  connectionSettings,
  keptTokens,
  type Store,
  type SyncSchedule,
} from '@unified/store';
import { type Flags, filled, type Given, isOn, ownFlags, readFlags, wantsHelp } from '../command-line/flags.ts';
import { helpLine } from '../command-line/help-line.ts';
import { type Installation, withInstallation } from '../command-line/installation.ts';
import { operatorOrigin } from '../command-line/operator-origin.ts';
import { print } from '../command-line/printing.ts';
import { Refusal, refuseProblems, UsageError } from '../command-line/usage.ts';
import { step } from '../start/progress.ts';
import { ask } from './ask-secret.ts';
import { checkOrRefuse } from './check.ts';
import { choiceFlags, choiceHelp, chosenConnection } from './chosen-connection.ts';
import { reportLines } from './report.ts';
import { givenSchedule, scheduleFlags, scheduleHelp } from './schedule-flags.ts';
import { flagOf, givenSettings, type Settings, settingFlags, settingHelp, settingLine } from './setting-flags.ts';

const flags: Flags = {
  ...{ name: { type: 'string' }, force: { type: 'boolean' }, ...choiceFlags },
  ...{ ...scheduleFlags, ...ownFlags },
};

export const updateAbout = 'change settings, password, name or schedule of a connection';

/** `npm run connect -- update <connection> …`. The options depend on the platform of the connection. */
export async function update(args: readonly string[]): Promise<void> {
  const [which, ...rest] = args;
  if (which === undefined || which.startsWith('-')) {
    if (wantsHelp(args)) return void process.stdout.write(`${generalHelp}\n`);
    throw new UsageError(`✗ Send the id or name of the connection.\n\nSee: npm run connect -- update --help`);
  }
  await withInstallation(async (installation) => {
    const early = readFlags(rest, choiceFlags);
    const connection = await chosenConnection(installation.store, early, which);
    const platform = platformOf(connection.platform);
    if (wantsHelp(rest)) return void process.stdout.write(`${helpOf(platform)}\n`);
    const given = readFlags(rest, { ...settingFlags(platform), ...askFlags(platform), ...flags });
    await change(installation, connection, platform, given);
  });
}

async function change(
  installation: Installation,
  connection: Connection,
  platform: Platform,
  given: Given,
): Promise<void> {
  const problems = [...given.problems, ...given.positionals.map((text) => `"${text}" is not expected here.`)];
  const name = filled(given, 'name', problems);
  const schedule = givenSchedule(given, problems);
  const before = await settingsBefore(installation.store, connection);
  const asked = platform.secrets.filter((secret) => isOn(given, `ask-${flagOf(secret)}`));
  const sent = givenSettings(platform, given);
  const settings = changed(platform, before, sent);
  const wrong = settingsProblems(platform, settings).filter(({ setting }) => !asked.includes(setting));
  problems.push(...wrong.map(settingLine));
  // The check of the same settings also ends a pause that the system requested.
  const isChecked = asked.length > 0 || Object.keys(sent).length > 0;
  const isNothing = name === undefined && !isChecked && isFollowed(connection, schedule);
  if (isNothing && problems.length === 0)
    problems.push('There is nothing to change. Send a setting, a name or a schedule.');
  refuseProblems(problems, `connect -- update "${connection.name}"`);
  const complete = await withSecrets(platform, settings, asked);
  if (isChecked) step(`checking ${platform.name}`);
  const of = { applicationId: connection.applicationId, connectionId: connection.id };
  const tokens = keptTokens(installation.store, { applicationId: connection.applicationId });
  const force = isOn(given, 'force');
  const report = isChecked ? await checkOrRefuse(platform, complete, { force, tokens }) : undefined;
  const checked = isChecked ? { settings: complete, isAccepted: report?.problems.every(({ blocks }) => !blocks) } : {};
  const changes = { ...checked, schedule, name, allowDuplicate: force };
  const parts = { ...installation, origin: operatorOrigin('connect update') };
  const after = await updateConnection(parts, of, changes).catch((error: unknown) => {
    throw refusalOf(error);
  });
  if (!after)
    throw new Refusal(
      `The connection "${connection.name}" has been removed in the meantime.`,
      'Connect the system again.',
    );
  const text = `Updated "${after.name}", connection ${after.id}. Its records keep their ids, and its tokens stay valid.`;
  print(
    isOn(given, 'json'),
    { connection: after, ...(report && { system: report }) },
    report ? `${reportLines(report)}\n\n${text}` : text,
  );
}

function refusalOf(error: unknown): unknown {
  if (error instanceof ConnectionNameTaken) return new Refusal(error.message, 'Choose another name.', { cause: error });
  if (error instanceof SystemConnected)
    return new Refusal(error.message, 'Update it, or add --force.', { cause: error });
  return error;
}

async function settingsBefore(store: Store, { id }: Connection): Promise<Settings> {
  return ((await connectionSettings(store, id)) ?? {}) as Settings;
}

/** An empty text removes an optional setting. */
function changed(platform: Platform, before: Settings, given: Settings): Settings {
  const required = requiredSettings(platform);
  const all: Record<string, Json> = { ...before, ...given };
  for (const [name, value] of Object.entries(given)) if (value === '' && !required.includes(name)) delete all[name];
  return all;
}

async function withSecrets(platform: Platform, settings: Settings, asked: readonly string[]): Promise<Settings> {
  const titles = asked.map((name) => ({ title: `New ${settingsOf(platform).get(name)?.title ?? name}` }));
  const answers = await ask(titles);
  const complete = { ...settings, ...Object.fromEntries(asked.map((name, index) => [name, answers[index] ?? ''])) };
  refuseProblems(settingsProblems(platform, complete).map(settingLine), `connect -- ${platform.id}`);
  return complete;
}

/** Whether a connection already has this schedule. */
function isFollowed(connection: Connection, schedule: Partial<SyncSchedule>): boolean {
  const { syncEveryMinutes, fullSyncEveryHours } = { ...connection, ...schedule };
  return syncEveryMinutes === connection.syncEveryMinutes && fullSyncEveryHours === connection.fullSyncEveryHours;
}

function askFlags({ secrets }: Platform): Flags {
  return Object.fromEntries(secrets.map((name) => [`ask-${flagOf(name)}`, { type: 'boolean' }]));
}

const ownHelp = `
  npm run connect -- update <connection> [options]

<connection> is its id or its name. Records keep their ids, and tokens stay valid. New settings are checked like those of a new connection, and the next sync starts immediately.
`;

const optionHelp = `Options
${helpLine('name', 'New name of the connection')}
${scheduleHelp.join('\n')}
${helpLine('force', 'Store the settings even if the check finds problems, the system cannot be reached, or it is already connected')}
${choiceHelp}
${helpLine('json', 'Print the result as JSON')}
${helpLine('help', 'This text; with a connection, also its settings')}`;

const generalHelp = `Changes settings, password, name or schedule of a connection.
${ownHelp}
Settings are options named as in \`npm run connect -- <platform> --help\`; omitted settings stay unchanged. --ask-<setting> prompts for a secret without echo, for example --ask-password. An empty text removes an optional setting.

${optionHelp}`;

function helpOf(platform: Platform): string {
  const asking = platform.secrets.map((name) => helpLine(`ask-${flagOf(name)}`, 'Prompt for it without echo'));
  return `Changes a connection to ${platform.name}.
${ownHelp}
Settings; omitted settings stay unchanged, an empty text removes an optional one
${[...settingHelp(platform), ...asking].join('\n')}

${optionHelp}`;
}
