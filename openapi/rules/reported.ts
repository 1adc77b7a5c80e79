import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const CLI = fileURLToPath(import.meta.resolve('@redocly/cli/bin/cli.js'));
const PLUGIN = fileURLToPath(new URL('index.ts', import.meta.url));

/**
 * For tests: what one rule says about a document, one line per problem, `pointer message`. The root file starts after
 * `info`; other files are given by their names.
 */
export async function reported(rule: string, root: string, others: Record<string, string> = {}): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'lint-'));
  try {
    const header = 'openapi: 3.1.0\ninfo: { title: Test, version: 1.0.0 }\n';
    const config = `plugins: [${PLUGIN}]\nrules: { house/${rule}: error, struct: off }\n`;
    const files = { 'openapi.yaml': header + root, 'redocly.yaml': config, ...others };
    for (const [name, text] of Object.entries(files)) {
      await mkdir(dirname(join(folder, name)), { recursive: true });
      await writeFile(join(folder, name), text);
    }
    return await lint(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

interface Report {
  readonly problems: readonly { message: string; location: readonly { pointer: string }[] }[];
}

function lint(folder: string): Promise<string[]> {
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  return new Promise((done, fail) => {
    // Problems are an exit code of 1, and the report is complete all the same.
    execFile(
      process.execPath,
      [CLI, 'lint', 'openapi.yaml', '--format=json'],
      { cwd: folder, env },
      (_, stdout, stderr) => {
        if (!stdout.startsWith('{')) return fail(new Error(stderr));
        const { problems } = JSON.parse(stdout) as Report;
        done(problems.map(({ message, location }) => `${location[0]?.pointer} ${message}`));
      },
    );
  });
}
