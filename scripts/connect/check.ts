import { type Platform, SystemError } from '@unified/connectors';
import { checkSystem, explainFailure, type SystemReport } from '@unified/engine';
import { step } from '../start/progress.ts';
import { reportLines } from './report.ts';
import type { Settings } from './setting-flags.ts';
import { Refusal } from './usage.ts';

const FORCE = 'add --force to connect all the same.';

/**
 * What was seen in the system. Refuses what would leave records out, and a system that cannot be reached, unless it is
 * forced; undefined: it could not be reached.
 */
export async function checkOrRefuse(
  platform: Platform,
  settings: Settings,
  force: boolean,
): Promise<SystemReport | undefined> {
  const report = await checkSystem(platform, settings).catch((error: unknown) => {
    if (!(error instanceof SystemError)) throw error;
    const { problem, remedy } = explainFailure(error);
    const told = `${platform.name} could not be checked: ${problem}`;
    if (!force) throw new Refusal(told, remedy, { cause: error });
    step(told);
    return undefined;
  });
  const blocking = report?.problems.filter(({ blocks }) => blocks).length ?? 0;
  if (!report || blocking === 0 || force) return report;
  const what = blocking === 1 ? 'One problem keeps' : `${blocking} problems keep`;
  throw new Refusal(
    `${what} records from being read.`,
    `Correct what is marked with ✗, or ${FORCE}\n\n${reportLines(report)}`,
  );
}
