import { type Json, partOf, type Stream } from '@unified/connectors';
import { type ConformanceCheck, type Finding, outcomeOf } from '../conformance-check.ts';
import { readPages } from '../read-pages.ts';
import type { Survey } from '../survey.ts';
import { overCursors, someOf } from '../surveyed-streams.ts';
import type { SystemUnderTest } from '../system-under-test.ts';

/** Incremental passes find every row, even if many rows changed at the same time, and no others. */
export const completeChanges: ConformanceCheck = {
  name: 'complete-changes',
  points: 10,
  asserts:
    'An incremental pass from the beginning of time finds every row, even if page ends separate rows that changed together, and no row that a full pass lacks.',
  consequence: 'Changes and new rows would be missing until the next full pass, or deleted by it.',
  run: overCursors(async (surveys, system) => {
    const findings: Finding[] = [];
    for (const survey of surveys) findings.push(...(await differences(system, survey)));
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

/** How an incremental pass from the beginning differs from a full one. Only differences that a second full pass confirms count. */
async function differences(system: SystemUnderTest, survey: Survey): Promise<Finding[]> {
  const { stream, hashes, keys, isWhole } = survey;
  if (!isWhole) return [];
  const since = await beginning(system, survey);
  const limit = Math.min(stream.pageSize, Math.max(1, Math.ceil(keys.length / 7)));
  const changes = partOf(system.driver, 'changes');
  const { rows } = await readPages((from) => changes.pull({ stream, since, from, limit }), Number.POSITIVE_INFINITY);
  const found = new Set(rows.map(({ key }) => key));
  const missed = keys.filter((key) => !found.has(key));
  const added = [...found].filter((key) => !hashes.has(key));
  if (missed.length === 0 && added.length === 0) return [];
  const again = await system.surveyAgain(stream);
  const confirmed = missed.filter((key) => again.hashes.get(key) === hashes.get(key));
  const lacking = added.filter((key) => !again.hashes.has(key));
  return [...missedRows(survey, confirmed), ...addedRows(survey, await existing(system, stream, lacking))];
}

/** The first of these rows that exist: `quietChanges` reports others. */
async function existing({ driver }: SystemUnderTest, stream: Stream, keys: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const key of keys.slice(0, SAMPLES)) if ((await driver.read(stream, key)) !== null) found.push(key);
  return found;
}

/** Maximum number of rows that are read on their own. */
const SAMPLES = 10;

const CURSOR_REMEDY = 'Choose a cursor that every insert and every update sets, or remove the cursor of the stream.';
const DATES_REMEDY =
  'If the date is empty until the first change, request both dates, such as with two `{since}` in `changes` of REST, or ' +
  '`changedBy` of OData. If only old rows have none, set it in the system. Otherwise, remove the cursor of the stream.';

function missedRows({ stream, keys, withoutCursor }: Survey, missed: readonly string[]): Finding[] {
  const [dated, undated] = [
    missed.filter((key) => !withoutCursor.has(key)),
    missed.filter((key) => withoutCursor.has(key)),
  ];
  const place = stream.name;
  const words = `${undated.length} of ${keys.length} rows have no "${stream.cursor}", and an incremental pass misses them`;
  return [
    ...(dated.length > 0
      ? [{ place, problem: `An incremental pass misses rows: ${someOf(dated)}.`, remedy: CURSOR_REMEDY }]
      : []),
    ...(undated.length > 0
      ? [{ place, problem: `${words}: ${someOf(undated)}. Only full passes find such rows.`, remedy: DATES_REMEDY }]
      : []),
  ];
}

function addedRows({ stream }: Survey, added: readonly string[]): Finding[] {
  if (added.length === 0) return [];
  const problem = `An incremental pass returns rows that a full pass lacks: ${someOf(added)}.`;
  const remedy =
    'Check that the list is read to its end, such as by `paging`, and that both passes request the same rows.';
  return [{ place: stream.name, problem, remedy }];
}
