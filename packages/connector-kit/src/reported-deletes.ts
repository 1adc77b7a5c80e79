import type { Finding } from './conformance-check.ts';
import type { Survey } from './survey.ts';
import { someOf } from './surveyed-streams.ts';
import type { SystemUnderTest } from './system-under-test.ts';

/** Maximum number of reported rows that are read. */
const MOST_READ = 20;

const REMEDY =
  'Check that "deleted" names the property with the key of the deleted row ("key"), and leaves out rows about other changes ' +
  '("only"). If the system only marks deleted rows, use "deleted" of the mapping.';

/** Rows that the system reports as deleted although they can be read: a finding, or a note with what was compared. */
export async function reportedDeletes(
  { driver }: SystemUnderTest,
  { stream, keys }: Survey,
): Promise<{ readonly findings: readonly Finding[]; readonly notes: readonly string[] }> {
  const reported = (await driver.changes?.reported?.(stream)) ?? [];
  if (reported.length === 0) return { findings: [], notes: [] };
  const known = new Set(keys);
  // Those that the full pass contained come first.
  const sample = [...reported].sort((a, b) => Number(known.has(b)) - Number(known.has(a))).slice(0, MOST_READ);
  const existing: string[] = [];
  for (const key of sample) if ((await driver.read(stream, key)) !== null) existing.push(key);
  const name = stream.name;
  if (existing.length > 0) {
    const problem = `Rows of ${name} are reported as deleted, but exist: ${someOf(existing)}.`;
    return { findings: [{ place: name, problem, remedy: REMEDY }], notes: [] };
  }
  const words = `${name}: ${reported.length} rows are reported as deleted, such as ${someOf(sample.slice(0, 1))}`;
  return { findings: [], notes: [`${words}. None of the ${sample.length} that were read exists.`] };
}
