import { expect, test, vi } from 'vitest';
import { measuredSystems } from '../../test/measured-systems.ts';
import { checkRecording, recordSystem } from '../../test/recorded-system.ts';

vi.setConfig({ testTimeout: 600_000 });

/** Streams with few rows and with references, whatever the system. */
const STREAMS = 6;

test.each(['s4hana', 'tryton', 'tryton-8.2'])(
  'all checks of %s have the same outcome without the system',
  async (name) => {
    const measured = measuredSystems.find((each) => each.name === name) ?? expect.fail(`There is no system ${name}`);
    const { platform: whole, settings, stop } = await measured.start();
    const streams = whole.streams.slice(0, STREAMS);
    const isRead = new Set(streams.map(({ name }) => name));
    const mappings = Object.fromEntries(Object.entries(whole.mappings).filter(([, { stream }]) => isRead.has(stream)));
    const platform = { ...whole, streams, mappings };
    const { report, recording } = await recordSystem(platform, settings).finally(stop);
    const again = await checkRecording(platform, recording);
    expect(again.unknown).toEqual([]);
    expect(again.report).toEqual(report);
    const outcome = (check: string) => report.results.find((each) => each.check.name === check)?.outcome.result;
    expect([outcome('readable-streams'), outcome('refused-credentials')]).toEqual(['passed', 'passed']);
  },
);
