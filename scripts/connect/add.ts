import type { Platform, TokenStore } from '@unified/connectors';
import { connectSystem, refuseConnected, SystemConnected } from '@unified/engine';
import {
  type AuditOrigin,
  applicationNamed,
  audited,
  type Connection,
  ConnectionNameTaken,
  keptTokens,
  listApplications,
  listConnections,
} from '@unified/store';
import { type Flags, filled, type Given, isOn } from '../command-line/flags.ts';
import { helpLine } from '../command-line/help-line.ts';
import { type Installation, withInstallation } from '../command-line/installation.ts';
import { operatorOrigin } from '../command-line/operator-origin.ts';
import { print } from '../command-line/printing.ts';
import { Refusal } from '../command-line/usage.ts';
import { step } from '../start/progress.ts';
import { checkOrRefuse } from './check.ts';
import { completeSettings } from './complete-settings.ts';
import { firstList } from './first-list.ts';
import { reportLines } from './report.ts';
import { givenSchedule, scheduleFlags, scheduleHelp } from './schedule-flags.ts';
import { type Settings, settingFlags, settingHelp } from './setting-flags.ts';

/** Options of the command, in addition to the settings of the platform. */
const flags: Flags = {
  ...{ name: { type: 'string' }, application: { type: 'string' }, force: { type: 'boolean' } },
  ...scheduleFlags,
};

/** Options of connecting a system of this platform. */
export function addFlags(platform: Platform): Flags {
  return { ...settingFlags(platform), ...flags };
}

/** `npm run connect -- <platform> …`: checks the system, stores the connection and starts the first sync. */
export async function add(platform: Platform, given: Given): Promise<void> {
  const problems = [...given.problems, ...given.positionals.map((text) => `"${text}" is not expected here.`)];
  const name = filled(given, 'name', problems) ?? platform.name;
  const application = filled(given, 'application', problems) ?? 'Default';
  const schedule = givenSchedule(given, problems);
  const complete = await completeSettings(platform, given, problems, `connect -- ${platform.id}`);
  const isForced = isOn(given, 'force');
  await withInstallation(async (installation) => {
    await refuseTakenName(installation, application, name);
    if (!isForced) await refuseConnectedSystem(installation, application, platform, complete);
    step(`checking ${platform.name}`);
    const { store } = installation;
    const origin = operatorOrigin(`connect ${platform.id}`);
    let found: Promise<string> | undefined;
    const applicationIdOf = () => {
      found ??= applicationFor(installation, application, origin);
      return found;
    };
    // A refresh token may be valid only once, so its successor must have an owner, even if the check then fails.
    const tokens: TokenStore = {
      renew: async (...given) => keptTokens(store, { applicationId: await applicationIdOf() }).renew(...given),
    };
    const report = await checkOrRefuse(platform, complete, { force: isForced, tokens });
    const applicationId = await applicationIdOf();
    const { connection, token } = await connectSystem(
      { ...installation, origin },
      {
        ...{ applicationId, platform, name, settings: complete, schedule, tokenName: 'connect' },
        allowDuplicate: isForced,
      },
    ).catch((error: unknown) => {
      throw error instanceof ConnectionNameTaken ? nameTaken(application, name) : alreadyConnected(error);
    });
    const list = `${installation.store.publicUrl}${firstList(platform, report)}`;
    const text = next(platform, { ...connection, application }, token, list);
    print(
      isOn(given, 'json'),
      { connection, token, system: report },
      report ? `${reportLines(report)}\n${text}` : text,
    );
  });
}

/** The id of the application with this name, which is created if there is none. */
function applicationFor({ store }: Installation, name: string, origin: AuditOrigin): Promise<string> {
  return audited(store, origin, async (inner, record) => {
    const { isNew, ...application } = await applicationNamed(inner, name);
    const { id } = application;
    if (isNew) await record(id, { action: 'application.create', target: id, after: application });
    return id;
  });
}

/** Refuses a name that the application already has, before anything is called or stored. */
async function refuseTakenName({ store }: Installation, applicationName: string, name: string): Promise<void> {
  const application = (await listApplications(store)).find((each) => each.name === applicationName);
  const known = application ? await listConnections(store, application.id) : [];
  if (known.some((connection) => connection.name === name)) throw nameTaken(applicationName, name);
}

/** Refuses a system that the application already has a connection to. */
async function refuseConnectedSystem(
  { store }: Installation,
  applicationName: string,
  platform: Platform,
  settings: Settings,
): Promise<void> {
  const application = (await listApplications(store)).find((each) => each.name === applicationName);
  if (!application) return;
  await refuseConnected(store, store.application(application.id), platform, settings).catch((error: unknown) => {
    throw alreadyConnected(error);
  });
}

function alreadyConnected(error: unknown): unknown {
  if (!(error instanceof SystemConnected)) return error;
  return new Refusal(error.message, 'Update it, or add --force to connect the system again.', { cause: error });
}

function nameTaken(application: string, name: string): Refusal {
  const ways = [
    `To change it:      npm run connect -- update "${name}" …`,
    `To connect another: add --name, for example --name "${name} 2"`,
  ];
  return new Refusal(`The application "${application}" already has a connection named "${name}".`, ways.join('\n  '));
}

/** A connection, with the name of its application. */
interface Connected extends Connection {
  readonly application: string;
}

function next(platform: Platform, connection: Connected, token: string, list: string): string {
  const { id, name, application } = connection;
  const isEmpty = platform.streams.length === 0;
  const then = isEmpty ? mappingSteps(name) : readingSteps(token, list);
  return `
Connected ${platform.name} as "${name}" of the application "${application}", connection ${id}.
${isEmpty ? 'No table is copied yet.' : 'A running server copies its records now; otherwise the next `npm start` does.'}
In the console, choose the application "${application}" to see it.

The token of the connection is shown only here:

  ${token}

${then}

For the Management API, issue a token of the application:

  npm run admin -- token add "${application}"`;
}

function readingSteps(token: string, list: string): string {
  return `Try it:

  curl -sS -H 'Authorization: Bearer ${token}' '${list}?per_page=3'`;
}

/** How a table becomes records, for a platform that has no streams of its own. */
function mappingSteps(name: string): string {
  return `Next, see its tables, draft the mapping of one, check the file, and save it. For vendors, for example:

  npm run connect -- tables "${name}"
  npm run --silent connect -- mapping draft "${name}" Vendor <table> > vendor.yaml
  npm run connect -- mapping edit "${name}" Vendor --file vendor.yaml --add-stream --activate`;
}

/** Help for one platform. */
export function platformHelp(platform: Platform): string {
  return `Connects ${platform.name}. ${platform.description}

  npm run connect -- ${platform.id} [options]

Settings
${settingHelp(platform).join('\n')}

Options
${helpLine('name', `Name of the connection, unique within its application (${platform.name})`)}
${helpLine('application', 'Application that it belongs to; created if it does not exist (Default)')}
${scheduleHelp.join('\n')}
${helpLine('force', 'Connect even if the check finds problems, the system cannot be reached, or it is already connected')}
${helpLine('json', 'Print the result as JSON')}
${helpLine('help', 'This text')}

Nothing is called until all settings are valid. The check signs in, reads one row of every stream and looks for every
action; if a problem would stop the synchronization of a stream, the connection is refused unless --force is given.

The database is the one that \`npm start\` uses: DATABASE_URL, or the embedded one in DATA_DIR. Addresses in private networks are
called only where ALLOW_PRIVATE_HOSTS, or a setting of the platform, allows it.`;
}
