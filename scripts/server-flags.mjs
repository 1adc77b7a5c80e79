/**
 * How Node runs the server. On a machine with a lot of memory, V8 lets garbage fill the heap to four times the memory in use,
 * and lets the young generation grow with it; both are limited. By default, V8 also does not collect young objects while it
 * marks old ones. All pages that are sent in the meantime then move to the old generation. If they exceed its growth, each full
 * collection causes the next one, and lists run at a third of their speed. A collection of young objects copies the pages in
 * progress, and one thread copies them faster than several threads that share two cores with PostgreSQL. With 16 MB, there are half
 * as many copies as with 8 MB, which saves 3 % of the CPU time. But two of twelve processes then moved all pages to the old
 * generation, at half the speed, and each process holds 16 MB more. Starting with 8 MB instead of 1 MB saves copies of code and
 * platforms while they are loaded.
 */
export const serverFlags = [
  '--disable-warning=ExperimentalWarning',
  '--min-semi-space-size=8',
  '--max-semi-space-size=8',
  '--heap-growing-percent=30',
  '--no-separate-gc-phases',
  '--no-parallel-scavenge',
];

/**
 * With a separate arena for every thread, glibc keeps about 40 MB unused. Bodies of large pages are mapped individually, so that
 * their memory is returned to the system. By default, glibc raises the limit for this automatically when the first one is freed.
 */
export const serverEnvironment = { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '262144' };
