import type { ConformanceReport, Outcome } from '@unified/connector-kit';
import { Refusal } from '../command-line/usage.ts';

const WIDTH = 22;

/** The outcome of a check as text: one line, and one for each finding or note. */
export function resultLines(name: string, outcome: Outcome): string {
  const line = (mark: string, text: string) => `${mark} ${name.padEnd(WIDTH)} ${text}`;
  switch (outcome.result) {
    case 'passed':
      return [line('✓', outcome.seen), ...(outcome.notes ?? []).map((note) => `    ${note}`)].join('\n');
    case 'failed': {
      const found = outcome.findings.map(({ place, problem, remedy }) => `    ${place}: ${problem} ${remedy}`);
      return [line('✗', ''), ...found].join('\n');
    }
    case 'not_applicable':
      return line('-', outcome.reason);
  }
}

/** `redmine: 11 checks passed, 1 failed, 2 do not apply` */
export function summaryLine({ platform, results }: ConformanceReport): string {
  const count = (result: Outcome['result']) => results.filter(({ outcome }) => outcome.result === result).length;
  const apart = count('not_applicable');
  const without = apart === 1 ? '1 does not apply' : `${apart} do not apply`;
  return `${platform}: ${count('passed')} checks passed, ${count('failed')} failed, ${without}`;
}

/** Throws with the names of the checks that failed. */
export function refuseFailed({ results }: ConformanceReport): void {
  const failed = results.filter(({ outcome }) => outcome.result === 'failed');
  if (failed.length === 0) return;
  const names = failed.map(({ check: { name } }) => name).join(', ');
  throw new Refusal(`Not every check has passed: ${names}.`, 'The report states what to correct.');
}
