import type { Platform } from '@unified/connectors';
import { readPagesOfFaultPasses, survivedFaults } from '../src/checks/survived-faults.ts';
import { afterSignIn } from '../src/every-check.ts';
import type { Recording } from '../src/recording/exchange.ts';
import { startRecorder } from '../src/recording/recorder.ts';
import { startReplay } from '../src/recording/replay.ts';
import { type ConformanceReport, runChecks } from '../src/run-checks.ts';
import { type Settings, SystemUnderTest } from '../src/system-under-test.ts';

const ROWS = 50;

/** Runs all checks on a system, and returns their report and the recording. */
export async function recordSystem(
  platform: Platform,
  settings: Settings,
): Promise<{ readonly report: ConformanceReport; readonly recording: Recording }> {
  const recorder = await startRecorder(platform, settings);
  if (recorder === null) throw new Error('The settings contain no HTTP address');
  const system = new SystemUnderTest(platform, recorder.settings, { rows: ROWS });
  try {
    const report = await runChecks(system);
    await readPagesOfFaultPasses(system);
    return { report, ...recorder.recording(ROWS) };
  } finally {
    await system.close();
    await recorder.close();
  }
}

/** Runs all checks on a recording, and passes through faults if there are any. */
export async function checkRecording(
  platform: Platform,
  recording: Recording,
  { passes = 0 } = {},
): Promise<{ readonly report: ConformanceReport; readonly unknown: readonly string[] }> {
  const replay = await startReplay(recording);
  const system = new SystemUnderTest(platform, replay.settings, { rows: recording.rows });
  try {
    const checks = passes > 0 ? [...afterSignIn, survivedFaults({ passes, seed: 1 })] : afterSignIn;
    return { report: await runChecks(system, { checks }), unknown: [...replay.unknown] };
  } finally {
    await system.close();
    await replay.close();
  }
}
