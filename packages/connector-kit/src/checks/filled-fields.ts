import { type ConformanceCheck, type Finding, outcomeOf } from '../conformance-check.ts';
import { unmatchedReferences } from '../record-references.ts';
import { overRows, surveyedStreams } from '../surveyed-streams.ts';
import type { SystemUnderTest } from '../system-under-test.ts';

/** Every mapping derives records from the rows of its stream. */
export const filledFields: ConformanceCheck = {
  name: 'filled-fields',
  points: 5,
  asserts:
    'If a stream has rows, and all of them were read, each of its entities has records. Fields without any value, and references that match no record, are only listed.',
  consequence: 'An entity would stay empty, as if the system had no such records.',
  run: overRows(async (surveys, system) => {
    const findings: Finding[] = [];
    const empty: string[] = [];
    let fields = 0;
    for (const { stream, records, filled, isWhole } of surveys) {
      for (const mapping of Object.values(system.platform.mappings)) {
        if (mapping.stream !== stream.name) continue;
        if (!records.has(mapping.entity)) {
          if (isWhole)
            findings.push({
              place: mapping.entity,
              problem: `No row of ${stream.name} becomes a record.`,
              remedy: REMEDY,
            });
          continue;
        }
        fields += mapping.fields.length;
        empty.push(
          ...mapping.fields.map((field) => `${mapping.entity}.${field}`).filter((field) => !filled.has(field)),
        );
      }
    }
    const notes = [
      ...(empty.length > 0 ? [`Never filled here: ${empty.join(', ')}.`] : []),
      ...unmatchedReferences(
        surveys.map(({ references }) => references),
        await completeEntities(system),
      ),
    ];
    return outcomeOf(findings, `${fields - empty.length} of ${fields} fields have a value`, notes);
  }),
};

/** Returns whether all records of an entity were read. */
async function completeEntities(system: SystemUnderTest): Promise<(entity: string) => boolean> {
  const whole = new Set(
    (await surveyedStreams(system)).flatMap(({ stream, isWhole }) => (isWhole ? [stream.name] : [])),
  );
  return (entity) => {
    const stream = system.platform.mappings[entity]?.stream;
    return stream !== undefined && whole.has(stream);
  };
}

const REMEDY = 'Check `where` of the mapping. If the system has no such rows yet, create one.';
