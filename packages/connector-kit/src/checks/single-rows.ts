import { type ConformanceCheck, type Finding, outcomeOf } from '../conformance-check.ts';
import { hashOf, type Survey } from '../survey.ts';
import { overRows } from '../surveyed-streams.ts';
import type { SystemUnderTest } from '../system-under-test.ts';

/** Number of rows that are compared in each stream. */
const SAMPLES = 3;

/** Single rows are read with the same values as in a pass. */
export const singleRows: ConformanceCheck = {
  name: 'single-rows',
  points: 10,
  asserts:
    'The first, the middle and the last row of a full pass become the same records if they are read by their keys.',
  consequence: 'Records would change their values after every write.',
  run: overRows(async (surveys, system) => {
    const findings: Finding[] = [];
    let compared = 0;
    for (const survey of surveys) {
      for (const key of samplesOf(survey.keys)) {
        compared += 1;
        const problem = await difference(system, survey, key);
        if (problem) findings.push({ place: survey.stream.name, problem: `Row "${key}" ${problem}.`, remedy: REMEDY });
      }
    }
    return outcomeOf(findings, `${compared} rows of ${surveys.length} streams`);
  }),
};

const REMEDY = 'Check the key of the stream, and that lists and single rows are read with the same columns.';

/** How a single row differs; undefined if it does not, or if it was changed between the two calls. */
async function difference(system: SystemUnderTest, survey: Survey, key: string): Promise<string | undefined> {
  const row = await system.driver.read(survey.stream, key);
  if (row !== null && hashOf({ key, row }, survey.mappings) === survey.hashes.get(key)) return undefined;
  const { hashes } = await system.surveyAgain(survey.stream);
  if (hashes.get(key) !== survey.hashes.get(key)) return undefined;
  return row === null ? 'is not found by its key' : 'has different values if it is read by its key';
}

/** The first, the middle and the last. */
function samplesOf(keys: readonly string[]): string[] {
  const last = keys.length - 1;
  const at = Array.from({ length: SAMPLES }, (_, index) => Math.round((last * index) / (SAMPLES - 1)));
  return [...new Set(at)].flatMap((index) => keys[index] ?? []);
}
