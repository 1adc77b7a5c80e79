import { type Distribution, distribute } from '@unified/store';
import type { Command } from '../command-line/command.ts';
import { isOn } from '../command-line/flags.ts';
import { helpLine } from '../command-line/help-line.ts';
import { withInstallation } from '../command-line/installation.ts';
import { print } from '../command-line/printing.ts';
import { refuseProblems } from '../command-line/usage.ts';
import { passing, step } from '../start/progress.ts';
import { namedArguments } from './arguments.ts';
import { clusterRefusal } from './cluster-refusal.ts';

const NEXT = `Start the processes of the installation again. Updates keep the tables distributed.
After you add a worker, move shards to it: SELECT citus_rebalance_start(shard_transfer_mode := 'block_writes');
To move one connection: npm run admin -- connection move <connection> --to <worker>`;

export const distributeCommand: Command = {
  about: 'distribute the database over the workers of a Citus cluster',
  flags: { 'dry-run': { type: 'boolean' } },
  help: `Distributes the tables with data of connections over the workers of a Citus cluster, by connection. DATABASE_URL must name its
coordinator. Stop all processes of the installation first. If the command is interrupted, repeat it: it continues.
docs/growing.md shows how to prepare the cluster.

  npm run admin -- distribute [options]

Options
${helpLine('dry-run', 'Show what would be distributed, and change nothing')}
${helpLine('json', 'Print the result as JSON')}
${helpLine('help', 'This text')}`,
  async run(given) {
    refuseProblems(namedArguments(given, []).problems, 'admin -- distribute');
    const isDryRun = isOn(given, 'dry-run');
    const onTable = (name: string, done: number, all: number) => passing(`distributing ${done + 1} of ${all}: ${name}`);
    await withInstallation(async ({ store }) => {
      const plan = await distribute(store, { isDryRun, onTable }).catch(clusterRefusal);
      if (!isDryRun && plan.due.length > 0) step(`distributed ${plan.due.length} tables`);
      print(isOn(given, 'json'), { isDryRun, ...plan }, isDryRun ? planned(plan) : finished(plan));
    });
  },
};

function planned({ cluster, done, due, onCoordinator }: Distribution): string {
  const workers = cluster.workers.map((name) => `  ${name}`).join('\n');
  return `Citus ${cluster.version} with ${countOf(cluster.workers, 'worker')}:
${workers}
${countOf(due, 'table')} would be distributed, ${done.length} are already, ${onCoordinator.length} stay on the coordinator.
Nothing was changed. Next: stop all processes of the installation, then run the command without --dry-run.`;
}

function finished({ cluster, done, due, onCoordinator }: Distribution): string {
  const all = countOf([...done, ...due], 'table');
  return `${all} distributed over ${countOf(cluster.workers, 'worker')}; ${onCoordinator.length} stay on the coordinator.\n${NEXT}`;
}

function countOf(items: readonly unknown[], noun: string): string {
  return `${items.length} ${noun}${items.length === 1 ? '' : 's'}`;
}
