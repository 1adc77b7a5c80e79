import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Document } from './openapi.ts';
import { redoclyEnvironment } from './redocly-environment.ts';

/** A change that can break a correct client of the earlier document: its location and description. */
export interface Break {
  readonly at: string;
  readonly change: string;
}

/** A break that is accepted, and why. */
export interface IntendedBreak extends Break {
  readonly reason: string;
}

/** The part of the report of `redocly diff` that is used. */
interface Report {
  readonly changes: readonly {
    readonly verdicts: readonly {
      readonly impact: string;
      readonly message: string;
      readonly location: { readonly pointer: string };
    }[];
  }[];
}

/**
 * The breaks between two documents in their released form. Each is listed once, although many operations can use the same
 * schema.
 */
export function breaksBetween(base: Document, revision: Document): readonly Break[] {
  const verdicts = compare(base, revision).changes.flatMap((change) => change.verdicts);
  const major = verdicts.filter(({ impact }) => impact === 'major');
  const breaks = major.map(({ message, location }) => ({ at: location.pointer, change: message }));
  return [...new Map(breaks.map((each) => [keyOf(each), each])).values()];
}

/** Breaks that are not listed as intended, and listed ones that do not exist. */
export function judge(
  breaks: readonly Break[],
  intended: readonly IntendedBreak[],
): { readonly unexpected: readonly Break[]; readonly outdated: readonly Break[] } {
  const found = new Set(breaks.map(keyOf));
  const listed = new Set(intended.map(keyOf));
  return {
    unexpected: breaks.filter((each) => !listed.has(keyOf(each))),
    outdated: intended.filter((each) => !found.has(keyOf(each))),
  };
}

function keyOf({ at, change }: Break): string {
  return `${at}: ${change}`;
}

function compare(base: Document, revision: Document): Report {
  const folder = mkdtempSync(join(tmpdir(), 'diff-'));
  try {
    const [before, after, report] = ['released', 'current', 'report'].map((name) => join(folder, `${name}.json`));
    writeFileSync(before as string, JSON.stringify(base));
    writeFileSync(after as string, JSON.stringify(revision));
    const cli = fileURLToPath(import.meta.resolve('@redocly/cli/bin/cli.js'));
    const config = fileURLToPath(new URL('../../../redocly.yaml', import.meta.url));
    const files = [before, after, '--output', report].map(String);
    const { status, stderr } = spawnSync(
      process.execPath,
      [cli, 'diff', ...files, '--format', 'json', '--fail-on', 'none', '--config', config],
      { env: redoclyEnvironment(), encoding: 'utf8' },
    );
    if (status !== 0) throw new Error(`redocly diff failed: ${stderr}`);
    return JSON.parse(readFileSync(report as string, 'utf8')) as Report;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
