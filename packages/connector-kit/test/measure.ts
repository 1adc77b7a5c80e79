// Measures all systems, or those named on the command line, and writes their scores: node packages/connector-kit/test/measure.ts
// tryton
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type CommittedScore, scoreFile } from '../src/committed-scores.ts';
import { type ConformanceReport, runChecks } from '../src/run-checks.ts';
import { scoreOf } from '../src/score.ts';
import { SystemUnderTest } from '../src/system-under-test.ts';
import { type MeasuredSystem, measuredSystems } from './measured-systems.ts';

/** Number of rows of each stream; docs/coverage.md mentions it. */
const ROWS = 200;

/** Runs all checks against a system. */
export async function measure({ start }: MeasuredSystem): Promise<ConformanceReport> {
  const { platform, settings, stop } = await start();
  const system = new SystemUnderTest(platform, settings, { rows: ROWS });
  try {
    return await runChecks(system);
  } finally {
    await system.close();
    await stop();
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const named = process.argv.slice(2);
  for (const each of measuredSystems.filter(({ name }) => named.length === 0 || named.includes(name))) {
    const report = await measure(each);
    const { name, system } = each;
    for (const { check, outcome } of report.results)
      if (outcome.result === 'failed') console.error(name, check.name, outcome.findings);
    const measured: CommittedScore = { system, measuredOn: new Date().toISOString().slice(0, 10), ...scoreOf(report) };
    writeFileSync(scoreFile(name), `${JSON.stringify(measured, null, 2)}\n`);
    console.log(`${name}: ${measured.score}`);
  }
}
