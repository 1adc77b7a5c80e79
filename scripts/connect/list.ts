import { type ConnectionOverview, connectionOverviews } from '@unified/engine';
import type { Command } from '../command-line/command.ts';
import { isOn } from '../command-line/flags.ts';
import { helpLine } from '../command-line/help-line.ts';
import { withInstallation } from '../command-line/installation.ts';
import { print } from '../command-line/printing.ts';
import { refuseProblems } from '../command-line/usage.ts';
import { choiceFlags, withinOf } from './chosen-connection.ts';

export const list: Command = {
  about: 'list the connections and their sync status',
  flags: choiceFlags,
  help: `Shows the connections of this installation: id, name, platform, application, status, schedule, last,
current and next sync, problems.

  npm run connect -- list [options]

Options
${helpLine('application', 'Only connections of this application')}
${helpLine('json', 'Print them as JSON')}
${helpLine('help', 'This text')}`,
  async run(given) {
    refuseProblems(
      [...given.problems, ...given.positionals.map((text) => `"${text}" is not expected here.`)],
      'connect -- list',
    );
    await withInstallation(async ({ store }) => {
      const connections = await connectionOverviews({ store }, await withinOf(store, given));
      print(isOn(given, 'json'), { connections }, textOf(connections));
    });
  },
};

function textOf(connections: readonly ConnectionOverview[]): string {
  if (connections.length === 0) return 'There is no connection yet. Connect a system: npm run connect -- --help';
  return connections.map(paragraphOf).join('\n\n');
}

/** The time of the next sync, unless it is in the past. */
function nextSync({ runningSince, nextRunAt, streams }: ConnectionOverview): string {
  if (streams === 0) return 'when it has streams; see `npm run connect -- mapping --help`';
  if (runningSince !== null) return 'after the running one';
  return nextRunAt !== null && Date.parse(nextRunAt) > Date.now() ? nextRunAt : 'now, or as soon as a worker runs';
}

/** No stream counts as synchronized before the end of the first run, which can take a long time. */
function lastSync({ lastSyncAt, runningSince, streams, streamsRead, streamsFailing }: ConnectionOverview): string {
  const when = lastSyncAt ?? (runningSince === null ? 'never' : 'not finished yet');
  const failing = streamsFailing === 0 ? '' : `, ${streamsFailing} with an error`;
  return `${when} (${streamsRead} of ${streams} streams read${failing})`;
}

function paragraphOf(connection: ConnectionOverview): string {
  const { id, name, platform, applicationName, status, runningSince, problems } = connection;
  const { syncEveryMinutes, fullSyncEveryHours } = connection;
  const lines = [
    `${name}`,
    `  id           ${id}`,
    `  platform     ${platform}`,
    `  application  ${applicationName}`,
    `  status       ${status}`,
    `  last sync    ${lastSync(connection)}`,
    ...(runningSince === null ? [] : [`  running      since ${runningSince}`]),
    `  schedule     changes every ${syncEveryMinutes} min, all records every ${fullSyncEveryHours} h`,
    `  next sync    ${nextSync(connection)}`,
    ...problems.map((problem, index) => `  ${index === 0 ? 'problems     ' : '             '}${problem}`),
  ];
  return lines.join('\n');
}
