import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { dataOf } from './mcp-client.ts';

type Doc = Readonly<Record<string, unknown>>;

const FOLDER = fileURLToPath(new URL('../../../test-systems/mcp/', import.meta.url));
const CLI = `${FOLDER}node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js`;

/** The command line of the official inspector of the Model Context Protocol. */
export interface Inspector {
  /** Names of the listed tools. */
  tools(): Promise<string[]>;
  /** Calls a tool. `code` is 0, or 5 if the tool returns an error; the value is its text without the markers of data, parsed. */
  call(tool: string, given: Doc): Promise<{ readonly code: number; readonly value: Doc }>;
}

interface Options {
  /** Address of the protocol. */
  readonly url: string;
  /** A token for it. */
  readonly token: string;
  /** Folder in which the inspector stores what it remembers. */
  readonly home: string;
}

/** Each call is a run of the inspector, with a connection of its own, in the current version of the protocol. */
export function inspectorOf({ url, token, home }: Options): Inspector {
  const target = ['--server-url', url, '--transport', 'http', '--protocol-era', 'modern', '--stored-auth-only'];
  const header = ['--header', `Authorization: Bearer ${token}`];
  const run = (method: readonly string[]) => inspect(home, [...target, ...header, '--method', ...method]);
  return {
    async tools() {
      const { printed } = await run(['tools/list']);
      const { tools = [] } = resultOf(printed) as { readonly tools?: readonly { readonly name: string }[] };
      return tools.map(({ name }) => name);
    },
    async call(tool, given) {
      const args = ['tools/call', '--tool-name', tool, '--tool-args-json', JSON.stringify(given)];
      const { code, printed } = await run(args);
      const { content = [] } = resultOf(printed) as { readonly content?: readonly { readonly text: string }[] };
      return { code, value: JSON.parse(dataOf(content[0]?.text ?? '')) };
    },
  };
}

function resultOf(printed: string): unknown {
  const envelope = JSON.parse(printed) as Doc;
  return envelope.result ?? envelope;
}

interface Run {
  readonly code: number;
  readonly printed: string;
}

/** Runs the inspector, and rejects with its messages if it printed no result. */
function inspect(home: string, options: readonly string[]): Promise<Run> {
  const env = { ...process.env, HOME: home, MCP_STORAGE_DIR: home, MCP_INSPECTOR_SECRET_STORE: 'memory' };
  const args = [CLI, '--cli', ...options, '--format', 'json', '--quiet'];
  return new Promise((resolve, reject) => {
    execFile(process.execPath, args, { env, maxBuffer: 16_000_000 }, (error, printed, messages) => {
      const code = error ? Number(error.code ?? 1) : 0;
      if (printed.trim() === '') reject(new Error(`The inspector ended with ${code}: ${messages}`));
      else resolve({ code, printed });
    });
  });
}
