import { SystemError } from '@unified/connectors';
import { explainFailure } from '@unified/engine';
import { type ConformanceCheck, type Finding, outcomeOf, skipped } from '../conformance-check.ts';

/** Every stream can be read. */
export const readableStreams: ConformanceCheck = {
  name: 'readable-streams',
  points: 20,
  asserts: 'Every stream can be read from its first to its last page.',
  consequence: 'Records of whole entities would be missing.',
  async run(system) {
    const { streams } = system.platform;
    if (streams.length === 0) return skipped('no streams');
    const findings: Finding[] = [];
    const empty: string[] = [];
    const cut: string[] = [];
    let rows = 0;
    for (const stream of streams) {
      try {
        const { keys, isWhole } = await system.survey(stream);
        rows += keys.length;
        if (keys.length === 0) empty.push(stream.name);
        if (!isWhole) cut.push(stream.name);
      } catch (error) {
        if (!(error instanceof SystemError)) throw error;
        findings.push({ place: stream.name, ...explainFailure(error) });
      }
    }
    const notes = [
      ...(empty.length > 0 ? [`Without rows, so not checked: ${empty.join(', ')}.`] : []),
      ...(cut.length > 0 ? [`Only the first ${system.rows} rows were read: ${cut.join(', ')}.`] : []),
    ];
    return outcomeOf(findings, `${streams.length} streams, ${rows} rows`, notes);
  },
};
