import type { Driver } from '@unified/connectors';
import { type ConformanceCheck, type Finding, outcomeOf } from '../conformance-check.ts';
import { readPages } from '../read-pages.ts';
import { hashOf, type Survey } from '../survey.ts';
import { overRows, someOf } from '../surveyed-streams.ts';
import type { SystemUnderTest } from '../system-under-test.ts';

/** Passes with different page sizes, continued in another session, find the same rows. */
export const pageSizes: ConformanceCheck = {
  name: 'page-sizes',
  points: 15,
  asserts:
    'A pass in small pages, continued in another session after each page, returns the same rows as a pass in large pages.',
  consequence: 'Rows would be missing, and full passes would delete their records.',
  run: overRows(async (surveys, system) => {
    const findings: Finding[] = [];
    let pages = 0;
    await system.withSession({}, async (other) => {
      for (const survey of surveys) {
        const read = await inSmallPages([system.driver, other], survey);
        pages += read.pages;
        findings.push(...(await differences(system, survey, read)));
      }
    });
    return outcomeOf(findings, `${surveys.length} streams in ${pages} small pages`);
  }),
};

interface SmallPages {
  readonly pages: number;
  readonly isWhole: boolean;
  readonly hashes: ReadonlyMap<string, string>;
}

/** At least three pages if the stream has three rows; the sessions read them in turn. */
async function inSmallPages(
  sessions: readonly [Driver, Driver],
  { stream, keys, mappings }: Survey,
): Promise<SmallPages> {
  const limit = Math.min(stream.pageSize, Math.max(1, Math.ceil(keys.length / 3) - 1));
  const [even, odd] = sessions;
  const { rows, pages, isWhole } = await readPages(
    (from, page) => (page % 2 === 0 ? even : odd).pull({ stream, from, limit }),
    keys.length + limit,
  );
  return { pages, isWhole, hashes: new Map(rows.map((row) => [row.key, hashOf(row, mappings)])) };
}

/** A system in use changes between two passes, so only differences that a third pass confirms count. */
async function differences(system: SystemUnderTest, first: Survey, small: SmallPages): Promise<Finding[]> {
  if (first.isWhole && isEqual(first.hashes, small.hashes)) return [];
  const again = await system.surveyAgain(first.stream);
  const inBoth = [...first.hashes].filter(([key, hash]) => again.hashes.get(key) === hash);
  const lost = inBoth.filter(([key]) => !small.hashes.has(key)).map(([key]) => key);
  const changed = inBoth.filter(([key, hash]) => (small.hashes.get(key) ?? hash) !== hash).map(([key]) => key);
  const added = [...small.hashes.keys()].filter((key) => !first.hashes.has(key) && !again.hashes.has(key));
  const place = first.stream.name;
  const remedy = 'Name a key that is unique and never changes, and an order that the system keeps between two calls.';
  const finding = (keys: readonly string[], problem: string) =>
    keys.length > 0 ? [{ place, problem: `${problem}: ${someOf(keys)}.`, remedy }] : [];
  return [
    ...finding(lost, 'Small pages lack rows'),
    ...finding(changed, 'Small pages contain different values of rows'),
    // Beyond the limit of rows, a different order is not an error.
    ...(first.isWhole ? finding(added, 'Small pages contain rows that large pages lack') : []),
  ];
}

function isEqual(left: ReadonlyMap<string, string>, right: ReadonlyMap<string, string>): boolean {
  return left.size === right.size && [...left].every(([key, hash]) => right.get(key) === hash);
}
