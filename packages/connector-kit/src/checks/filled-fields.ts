import { type ConformanceCheck, type Finding, outcomeOf } from '../conformance-check.ts';
import { streamsWithRows } from '../surveyed-streams.ts';

/** Mapped fields have values. */
export const filledFields: ConformanceCheck = {
  name: 'filled-fields',
  asserts: 'Every entity has records, and the fields without any value are named.',
  consequence: 'A mapping that reads the wrong column would look as if the system had no values.',
  async run(system) {
    const surveys = await streamsWithRows(system);
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
    const notes = empty.length > 0 ? [`Never filled here: ${empty.join(', ')}.`] : [];
    return outcomeOf(findings, `${fields - empty.length} of ${fields} fields have a value`, notes);
  },
};

const REMEDY = 'Check `where` of the mapping. If the system has no such rows yet, create one.';
