/**
 * Keys of advisory locks, the same in every process. The first is locked while the address is chosen and links are
 * rewritten.
 */
export const DECIDING = 7_246_100_513;
/** Held in shared mode by every running process: a process that gets it exclusively is the only one. */
export const RUNNING = 7_246_100_514;
