import { totalmem } from 'node:os';

const MEGABYTE = 2 ** 20;
/** Part of the memory, of which the processes of the service and the page cache of the system need most. */
const PART = 1 / 8;
const LEAST = 64;
/** More would help only installations that need a database server of their own. */
const MOST = 2_048;

/**
 * The setting `shared_buffers` for a machine or container with this much memory. A page that is not in these buffers is copied from
 * the page cache of the system. PostgreSQL uses the memory only as it reads pages.
 */
export function sharedBuffers(memoryBytes = memoryOfProcess()): string {
  const megabytes = Math.floor((memoryBytes * PART) / MEGABYTE);
  return `${Math.max(LEAST, Math.min(megabytes, MOST))}MB`;
}

/** The memory of the machine, or less if a container limits it. */
function memoryOfProcess(): number {
  // Zero if the limit is unknown, and more than any machine has if there is none.
  return Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
}
