import { execFile } from 'node:child_process';
import { MasterKeyError, parseKey, type SecretKey } from './secret-key.ts';

const LIMIT_MS = 30_000;
/** Maximum number of characters of output; a key has 64 at most. */
const MOST_OUTPUT = 1_000;

/**
 * Runs a command that prints a key, such as one that decrypts it with a key management service. The command is a program and
 * its arguments, separated by spaces; no shell runs. It is stopped after 30 seconds. Throws `MasterKeyError`, which never
 * contains its output.
 */
export async function keyFromCommand(command: string, limitMs = LIMIT_MS): Promise<SecretKey> {
  return parseKey(await outputOf(command, limitMs), 'The output of the command that prints the master key');
}

function outputOf(command: string, limitMs: number): Promise<string> {
  const [program = '', ...args] = command.trim().split(/\s+/);
  const options = { timeout: limitMs, killSignal: 'SIGKILL', maxBuffer: MOST_OUTPUT } as const;
  return new Promise((resolve, reject) => {
    // The error contains the output, so only its kind is reported.
    execFile(program, args, options, (error, output) => {
      if (error) reject(new MasterKeyError(`The command that prints the master key ${failureOf(error, limitMs)}.`));
      else resolve(output);
    });
  });
}

function failureOf({ code, killed }: { code?: string | number | null; killed?: boolean }, limitMs: number): string {
  if (code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER') return `printed more than ${MOST_OUTPUT} characters`;
  if (killed) return `did not end within ${limitMs / 1000} seconds`;
  return typeof code === 'number' ? `exited with code ${code}` : `could not be run (${code ?? 'it was ended'})`;
}
