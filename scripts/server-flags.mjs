/**
 * How Node runs the server. On a machine with a lot of memory, V8 lets garbage fill the heap to four times the memory
 * in use, and lets the young generation grow with it; both are limited. The heap may still grow by half between two
 * full collections, because each of them moves the pages that are being sent to the old generation: if these alone
 * exceed the growth allowed, each collection causes the next one, and lists run at a third of their speed.
 */
export const serverFlags = [
  '--disable-warning=ExperimentalWarning',
  '--max-semi-space-size=8',
  '--heap-growing-percent=50',
];

/**
 * With a separate arena for every thread, glibc keeps about 40 MB unused. Bodies of large pages are mapped one by one, so that
 * their memory is returned to the system: glibc raises this limit automatically with the first one that is freed.
 */
export const serverEnvironment = { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '262144' };
