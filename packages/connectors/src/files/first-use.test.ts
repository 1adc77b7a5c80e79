import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';

test('the libraries for CSV and XLSX are loaded with the first file, not when the process starts', () => {
  const connectors = new URL('../index.ts', import.meta.url).href;
  const script = `
    import { registerHooks } from 'node:module';
    const named = [];
    registerHooks({ resolve: (name, context, next) => (named.push(name), next(name, context)) });
    await import(${JSON.stringify(connectors)});
    process.stdout.write(JSON.stringify(named));`;
  const named = JSON.parse(execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' }));
  expect(named).toContain('./csv-records.ts');
  expect(named).not.toContain('csv-parse');
  expect(named).not.toContain('yauzl');
});
