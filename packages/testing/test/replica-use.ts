import type { StartedProcess } from './started-process.ts';

/** How often a process has read from its replica. */
export async function replicaReads(process: StartedProcess): Promise<number> {
  return metric(process, 'unified_replica_reads_total');
}

/** Whether a process uses its replica; false if the process was killed. */
export async function usesReplica(process: StartedProcess): Promise<boolean> {
  return (await metric(process, 'unified_replica_up').catch(() => 0)) === 1;
}

async function metric({ operatorUrl }: StartedProcess, name: string): Promise<number> {
  const text = await (await fetch(`${operatorUrl}/metrics`)).text();
  return Number(new RegExp(`^${name}{replica="1"} (\\d+)$`, 'm').exec(text)?.[1]);
}
