/**
 * How Node runs the server. On a machine with much memory V8 lets the heap fill with garbage to four times what is in use,
 * and its young generation with it; both are limited, at no measurable cost in pages per second.
 */
export const serverFlags = [
  '--disable-warning=ExperimentalWarning',
  '--max-semi-space-size=8',
  '--heap-growing-percent=10',
];

/**
 * With a separate arena for every thread, glibc keeps about 40 MB unused. Bodies of large pages are mapped one by one, so that
 * their memory is returned to the system: glibc raises this limit automatically with the first one that is freed.
 */
export const serverEnvironment = { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '262144' };
