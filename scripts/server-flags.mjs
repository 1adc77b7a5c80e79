/**
 * How Node runs the server. On a machine with a lot of memory, V8 lets garbage fill the heap to four times the memory
 * in use, and lets the young generation grow with it; both are limited. By default, V8 also collects no young objects while it
 * marks old ones: the pages that are sent meanwhile all move to the old generation, and if these exceed its growth, each full
 * collection causes the next one, and lists run at a third of their speed. What a collection of young objects copies are the
 * pages in progress, so with 16 MB there are half as many copies as with 8 MB, and one thread copies them faster than several
 * that share two cores with PostgreSQL.
 */
export const serverFlags = [
  '--disable-warning=ExperimentalWarning',
  '--max-semi-space-size=16',
  '--heap-growing-percent=30',
  '--no-separate-gc-phases',
  '--no-parallel-scavenge',
];

/**
 * With a separate arena for every thread, glibc keeps about 40 MB unused. Bodies of large pages are mapped one by one, so that
 * their memory is returned to the system: glibc raises this limit automatically with the first one that is freed.
 */
export const serverEnvironment = { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '262144' };
