import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const PLUGIN = fileURLToPath(new URL('index.ts', import.meta.url));

/** The part that is used of the library behind Redocly's command line. */
interface Linter {
  loadConfig(options: { configPath: string }): Promise<object>;
  lint(options: { ref: string; config: object }): Promise<Problem[]>;
}

interface Problem {
  readonly message: string;
  readonly location: readonly { readonly pointer?: string }[];
}

const cli = createRequire(import.meta.url).resolve('@redocly/cli/package.json');
const library = createRequire(cli).resolve('@redocly/openapi-core');
const { lint, loadConfig }: Linter = await import(pathToFileURL(library).href);

/**
 * For tests: the problems that one rule reports about a document, one per line, `pointer message`. The root file starts after
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
    const linter = await loadConfig({ configPath: join(folder, 'redocly.yaml') });
    const problems = await lint({ ref: join(folder, 'openapi.yaml'), config: linter });
    return problems.map(({ message, location }) => `${location[0]?.pointer} ${message}`);
  } finally {
    await rm(folder, { recursive: true });
  }
}
