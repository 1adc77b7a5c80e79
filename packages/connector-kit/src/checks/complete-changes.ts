import { type Json, partOf, type Stream } from '@unified/connectors';
import { type ConformanceCheck, type Finding, outcomeOf } from '../conformance-check.ts';
import { readPages } from '../read-pages.ts';
import type { Survey } from '../survey.ts';
import { overCursors, someOf } from '../surveyed-streams.ts';
import type { SystemUnderTest } from '../system-under-test.ts';

/** Incremental passes find every row, even if many rows changed at the same time. */
export const completeChanges: ConformanceCheck = {
  name: 'complete-changes',
  points: 10,
  asserts:
    'An incremental pass from the beginning of time finds every row, even if page ends separate rows that changed together.',
  consequence: 'Changes would be missing until the next full pass.',
  run: overCursors(async (surveys, system) => {
    const findings: Finding[] = [];
    for (const survey of surveys) findings.push(...(await missedRows(system, survey)));
    const notes: string[] = [];
    for (const { stream } of surveys) notes.push(...(await unwatchedRelations(system, stream)));
    return outcomeOf(findings, `${surveys.length} streams with a cursor`, notes);
  }),
};

/** Not a failure: records such as units of measure rarely change, and a full pass finds their changes. */
async function unwatchedRelations({ driver }: SystemUnderTest, stream: Stream): Promise<string[]> {
  const relations = (await driver.discover?.unwatched?.(stream)) ?? [];
  if (relations.length === 0) return [];
  const words = 'Only full passes find changes of values that rows have from';
  return [`${stream.name}: ${words} ${relations.join(', ')}. To find them earlier, add these to touchedBy.`];
}

const BEGINNING = '1970-01-01T00:00:00.000Z';

/** The mark of a pass before every change. Marks of number cursors are objects; null means the first pass. */
async function beginning({ driver }: SystemUnderTest, { stream }: Survey): Promise<Json> {
  return typeof (await partOf(driver, 'changes').mark(stream)) === 'string' ? BEGINNING : null;
}

async function missedRows(system: SystemUnderTest, survey: Survey): Promise<Finding[]> {
  const { stream, keys, withoutCursor, isWhole } = survey;
  if (!isWhole) return [];
  const since = await beginning(system, survey);
  const limit = Math.min(stream.pageSize, Math.max(1, Math.ceil(keys.length / 7)));
  const changes = partOf(system.driver, 'changes');
  const { rows } = await readPages((from) => changes.pull({ stream, since, from, limit }), Number.POSITIVE_INFINITY);
  const found = new Set(rows.map(({ key }) => key));
  const missed = keys.filter((key) => !found.has(key) && !withoutCursor.has(key));
  if (missed.length === 0) return [];
  const { hashes } = await system.surveyAgain(stream);
  const confirmed = missed.filter((key) => hashes.get(key) === survey.hashes.get(key));
  if (confirmed.length === 0) return [];
  const remedy = 'Choose a cursor that every insert and every update sets, or remove the cursor of the stream.';
  return [{ place: stream.name, problem: `An incremental pass misses rows: ${someOf(confirmed)}.`, remedy }];
}
