import { type ConnectionMove, connectionPlace, moveConnection, type NodeUse, nodeUses } from '@unified/store';
import type { Command } from '../command-line/command.ts';
import { filled, isOn } from '../command-line/flags.ts';
import { helpLine } from '../command-line/help-line.ts';
import { withInstallation } from '../command-line/installation.ts';
import { print } from '../command-line/printing.ts';
import { refuseProblems } from '../command-line/usage.ts';
import { choiceFlags, choiceHelp, chosenConnection, namedConnection } from '../connect/chosen-connection.ts';
import { passing, step } from '../start/progress.ts';
import { clusterRefusal } from './cluster-refusal.ts';

const where: Command = {
  about: 'show the workers of the Citus cluster, or the one that a connection is on',
  flags: choiceFlags,
  help: `Shows the workers of the Citus cluster with their connections and bytes; with the id or name of a connection, its worker.

  npm run admin -- connection where [<connection>] [options]

Options
${choiceHelp}
${helpLine('json', 'Print the result as JSON')}
${helpLine('help', 'This text')}`,
  async run(given) {
    if (given.positionals.length === 0) {
      refuseProblems(given.problems, 'admin -- connection where');
      await withInstallation(async ({ store }) => {
        const workers = await nodeUses(store).catch(clusterRefusal);
        print(isOn(given, 'json'), { workers }, workers.map(lineOf).join('\n'));
      });
      return;
    }
    const { which, problems } = namedConnection(given);
    refuseProblems(problems, 'admin -- connection where');
    await withInstallation(async ({ store }) => {
      const { id, name } = await chosenConnection(store, given, which);
      const { node, neighbors } = await connectionPlace(store, id).catch(clusterRefusal);
      const found = { connectionId: id, worker: node.name, neighbors };
      print(isOn(given, 'json'), found, `"${name}" is on ${node.name}, in shards with ${others(neighbors)}.`);
    });
  },
};

const move: Command = {
  about: 'move a connection to another worker of the Citus cluster, while it is used',
  flags: { ...choiceFlags, to: { type: 'string' }, 'block-writes': { type: 'boolean' } },
  help: `Moves everything that is stored of a connection to another worker of the Citus cluster. The service keeps running: reads continue, and
writes of the connection, and of others in the same shards, wait at the end while all rows are counted: for seconds, or longer if
there are many millions. If the command is interrupted, nothing has changed, or the move is complete: run it again.

  npm run admin -- connection move <connection> --to <host:port> [options]

\`npm run admin -- connection where\` shows the workers. docs/growing.md shows what the servers need.

Options
${helpLine('to <host:port>', 'The worker')}
${helpLine('block-writes', 'Copy without replication, which needs wal_level = logical: writes wait until all rows are copied')}
${choiceHelp}
${helpLine('json', 'Print the result as JSON')}
${helpLine('help', 'This text')}`,
  async run(given) {
    const { which, problems: wrong } = namedConnection(given);
    const problems = [...wrong];
    const to = filled(given, 'to', problems);
    if (to === undefined) problems.push('Send --to. See the workers: npm run admin -- connection where');
    refuseProblems(problems, 'admin -- connection move');
    await withInstallation(async ({ store }) => {
      const { id, name } = await chosenConnection(store, given, which);
      const blockWrites = isOn(given, 'block-writes');
      const began = performance.now();
      const onCopied = (bytes: number, all: number) =>
        passing(`${secondsSince(began)} s: ${sizeOf(bytes)} written, of about ${sizeOf(all)}`);
      const made = await moveConnection(store, {
        ...{ connectionId: id, to: to ?? '', blockWrites, onCopied },
        onStep: step,
      }).catch(clusterRefusal);
      print(isOn(given, 'json'), made, summaryOf(name, made, blockWrites));
    });
  },
};

export const connectionCommands = { where, move };

function summaryOf(name: string, made: ConnectionMove, blockWrites: boolean): string {
  return [
    ...(made.isMoved ? movedLines(name, made, blockWrites) : [`"${name}" is on ${made.to} already.`]),
    ...leftoverLines(made),
  ].join('\n');
}

function movedLines(name: string, { from, to, rows, seconds, neighbors, pause }: ConnectionMove, blockWrites: boolean) {
  const method = blockWrites ? 'while writes were blocked' : 'by logical replication';
  const waited = ((pause?.longest ?? 0) / 1000).toFixed(1);
  const refusals = pause?.refused
    ? [`Of the writes that measured this, ${pause.refused} failed: ${pause.reason}.`]
    : [];
  return [
    `Moved "${name}" from ${from} to ${to} in ${seconds.toFixed(1)} s, ${method}.`,
    `Its shards, with ${others(neighbors)}, have ${rows.toLocaleString('en-US')} rows, as before. A write waited for ${waited} s at most.`,
    ...refusals,
    'The running processes use the new worker. There is nothing else to do.',
  ];
}

function leftoverLines({ leftovers }: ConnectionMove): string[] {
  if (leftovers.length === 0) return [];
  const lines = leftovers.map(({ node, what, remedy }) => `  ${node}: ${what}\n    ${remedy};`);
  return ['Citus does not know the following. Remove it as a superuser:', ...lines];
}

function lineOf({ name, connections, bytes }: NodeUse): string {
  return `${name.padEnd(24)} ${String(connections).padStart(6)} connections  ${sizeOf(bytes)}`;
}

function others(count: number): string {
  return count === 0
    ? 'no other connection'
    : `${count.toLocaleString('en-US')} other connection${count === 1 ? '' : 's'}`;
}

function sizeOf(bytes: number): string {
  return `${(bytes / 1_048_576).toFixed(1)} MB`;
}

function secondsSince(began: number): number {
  return Math.round((performance.now() - began) / 1000);
}
