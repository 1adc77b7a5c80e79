import { type Json, partOf } from '@unified/connectors';
import { type ConformanceCheck, type Finding, outcomeOf } from '../conformance-check.ts';
import { readPages } from '../read-pages.ts';
import type { Survey } from '../survey.ts';
import { streamsWithRows } from '../surveyed-streams.ts';
import type { SystemUnderTest } from '../system-under-test.ts';

/** Incremental passes end with rows that exist, as they are. */
export const quietChanges: ConformanceCheck = {
  name: 'quiet-changes',
  asserts: 'An incremental pass after a full one returns only rows that exist, with the values that they have.',
  consequence: 'Incremental passes would change records back, or read the whole table each time.',
  async run(system) {
    const surveys = (await streamsWithRows(system)).filter(({ stream }) => stream.cursor !== undefined);
    if (surveys.length === 0) return { result: 'not_applicable', reason: 'No stream with rows has a cursor.' };
    const findings: Finding[] = [];
    let repeated = 0;
    for (const survey of surveys) {
      const { found, finding } = await sinceNow(system, survey);
      repeated += found;
      findings.push(...finding);
    }
    const notes = repeated > 0 ? [`${repeated} rows changed within the overlap and were read again.`] : [];
    return outcomeOf(findings, `${surveys.length} streams with a cursor`, notes);
  },
};

async function sinceNow(
  system: SystemUnderTest,
  { stream }: Survey,
): Promise<{ readonly found: number; readonly finding: Finding[] }> {
  const changes = partOf(system.driver, 'changes');
  const first = await changes.mark(stream);
  // As stored between two runs.
  const since: Json = JSON.parse(JSON.stringify(await changes.mark(stream, first)));
  const { rows } = await readPages(
    (from) => changes.pull({ stream, since, from, limit: stream.pageSize }),
    system.rows,
  );
  const gone: string[] = [];
  for (const { key } of rows.slice(0, SAMPLES)) {
    if ((await system.driver.read(stream, key)) === null) gone.push(key);
  }
  const remedy = 'Check the cursor and the key of the stream.';
  const finding = gone.map((key) => ({
    ...{ place: stream.name, remedy },
    problem: `An incremental pass returned row "${key}", which cannot be read by its key.`,
  }));
  return { found: rows.length, finding };
}

const SAMPLES = 3;
