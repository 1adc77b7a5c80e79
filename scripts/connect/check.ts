import { type Platform, SystemError, type TokenStore } from '@unified/connectors';
import { checkSystem, explainFailure, type SystemReport } from '@unified/engine';
import { Refusal } from '../command-line/usage.ts';
import { waitForSystem } from '../command-line/wait-for-system.ts';
import { step } from '../start/progress.ts';
import { reportLines } from './report.ts';
import type { Settings } from './setting-flags.ts';

const FORCE = 'add --force to connect anyway.';

/**
 * The findings of the check. Refuses a system that cannot be reached or would leave out records, unless it is forced. Undefined
 * if the system could not be reached.
 */
export async function checkOrRefuse(
  platform: Platform,
  settings: Settings,
  { force, tokens }: { readonly force: boolean; readonly tokens: TokenStore },
): Promise<SystemReport | undefined> {
  const report = await checkSystem(platform, settings, { tokens, wait: waitForSystem }).catch((error: unknown) => {
    if (!(error instanceof SystemError)) throw error;
    const { problem, remedy } = explainFailure(error);
    const message = `${platform.name} could not be checked: ${problem}`;
    if (!force) throw new Refusal(message, remedy, { cause: error });
    step(message);
    return undefined;
  });
  const blocking = report?.problems.filter(({ blocks }) => blocks).length ?? 0;
  if (!report || blocking === 0 || force) return report;
  const what = blocking === 1 ? 'One problem prevents' : `${blocking} problems prevent`;
  throw new Refusal(
    `${what} records from being read.`,
    `Correct what is marked with ✗, or ${FORCE}\n\n${reportLines(report)}`,
  );
}
