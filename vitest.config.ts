import { defineConfig } from 'vitest/config';

/** `*.system.test.ts` need a real connected system and `*.browser.test.ts` a browser: the CI installs those and names the suite. */
const suites = {
  all: ['packages/**/*.test.ts', 'openapi/rules/**/*.test.{ts,js}', 'scripts/**/*.test.ts'],
  system: ['packages/**/*.system.test.ts'],
  browser: ['packages/**/*.browser.test.ts'],
};
const suite = (process.env.SUITE ?? 'all') as keyof typeof suites;
const apart = suite === 'all' ? [...suites.system, ...suites.browser] : [];

export default defineConfig({
  test: {
    include: suites[suite],
    exclude: ['**/node_modules/**', '**/dist/**', '**/.data/**', ...apart],
    globalSetup: ['packages/store/test/run-folder.ts'],
    maxWorkers: 2,
    testTimeout: 180_000,
    hookTimeout: 240_000,
    // What is awaited ends long before; on a busy machine a second is no measure of it.
    expect: { poll: { timeout: 60_000 } },
  },
});
