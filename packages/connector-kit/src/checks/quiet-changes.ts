import { type Json, partOf, type RawRow } from '@unified/connectors';
import { type ConformanceCheck, type Finding, outcomeOf } from '../conformance-check.ts';
import { readPages } from '../read-pages.ts';
import { reportedDeletes } from '../reported-deletes.ts';
import { hashOf, type Survey } from '../survey.ts';
import { overCursors } from '../surveyed-streams.ts';
import type { SystemUnderTest } from '../system-under-test.ts';

/** The rows of incremental passes exist, with the same values, and rows that they report as deleted do not. */
export const quietChanges: ConformanceCheck = {
  name: 'quiet-changes',
  points: 5,
  asserts:
    'The first three rows that an incremental pass after a full one returns, if any, become the same records if they are read by their keys. Rows that the system reports as deleted do not exist.',
  consequence:
    'Incremental passes would change records back, add ones that do not exist, or not find those that were deleted.',
  run: overCursors(async (surveys, system) => {
    const findings: Finding[] = [];
    const notes: string[] = [];
    let repeated = 0;
    for (const survey of surveys) {
      const { found, finding } = await sinceNow(system, survey);
      repeated += found;
      const deletes = await reportedDeletes(system, survey);
      findings.push(...finding, ...deletes.findings);
      notes.push(...deletes.notes);
    }
    if (repeated > 0) notes.push(`${repeated} rows were read again.`);
    return outcomeOf(findings, `${surveys.length} streams with a cursor`, notes);
  }),
};

async function sinceNow(
  system: SystemUnderTest,
  survey: Survey,
): Promise<{ readonly found: number; readonly finding: Finding[] }> {
  const { stream } = survey;
  const changes = partOf(system.driver, 'changes');
  const first = await changes.mark(stream);
  // As stored between two runs.
  const since: Json = JSON.parse(JSON.stringify(await changes.mark(stream, first)));
  const pass = () => readPages((from) => changes.pull({ stream, since, from, limit: stream.pageSize }), system.rows);
  const { rows } = await pass();
  const wrong = await differences(system, survey, rows);
  if (wrong.size === 0) return { found: rows.length, finding: [] };
  // A row that was changed between the two calls does not count as a difference.
  const again = await differences(system, survey, (await pass()).rows);
  const remedy = 'Check the cursor and the key of the stream.';
  const finding = [...wrong]
    .filter(([key, { content }]) => again.get(key)?.content === content)
    .map(([key, { problem }]) => ({
      ...{ place: stream.name, remedy },
      problem: `An incremental pass returned row "${key}", which ${problem}.`,
    }));
  return { found: rows.length, finding };
}

interface Difference {
  /** Identifies the content that the pass returned. */
  readonly content: string;
  readonly problem: string;
}

/** How the first rows of a pass differ from the same rows read by their keys, by key. */
async function differences(
  { driver }: SystemUnderTest,
  { stream, mappings }: Survey,
  rows: readonly RawRow[],
): Promise<Map<string, Difference>> {
  const found = new Map<string, Difference>();
  for (const each of rows.slice(0, SAMPLES)) {
    const row = await driver.read(stream, each.key);
    const content = hashOf(each, mappings);
    if (row === null) found.set(each.key, { content, problem: 'cannot be read by its key' });
    else if (hashOf({ key: each.key, row }, mappings) !== content)
      found.set(each.key, { content, problem: 'has different values if it is read by its key' });
  }
  return found;
}

const SAMPLES = 3;
