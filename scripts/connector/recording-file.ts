import { type Recording, type Replay, readRecording, startReplay } from '@unified/connector-kit';
import type { Platform } from '@unified/connectors';
import { Refusal } from '../command-line/usage.ts';

/** Number of unknown requests that are shown. */
const SHOWN = 5;

/**
 * Runs `work` with servers that respond as in a recording of the platform. Then prints requests that it does not contain to
 * standard error. Throws `Refusal` if the file cannot be used.
 */
export async function withReplay(
  platform: Platform,
  file: string,
  work: (replay: Pick<Replay, 'settings'> & { readonly rows: number }) => Promise<void>,
): Promise<void> {
  const recording = await recordingOf(platform, file);
  const replay = await startReplay(recording);
  try {
    await work({ settings: replay.settings, rows: recording.rows });
  } finally {
    await replay.close();
    printUnknown([...replay.unknown]);
  }
}

async function recordingOf(platform: Platform, file: string): Promise<Recording> {
  const recording = await readRecording(file).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Refusal(`The recording cannot be read: ${reason}.`, 'Send a file that "record" wrote.', { cause: error });
  });
  if (recording.platform === platform.id) return recording;
  throw new Refusal(
    `${file} is a recording of the platform "${recording.platform}", not of "${platform.id}".`,
    'Name that platform, or record this one.',
  );
}

function printUnknown(requests: readonly string[]): void {
  if (requests.length === 0) return;
  const shown = requests.slice(0, SHOWN).map((request) => `  ${request}\n`);
  const more = requests.length > SHOWN ? `  and ${requests.length - SHOWN} more\n` : '';
  process.stderr.write(
    `The recording does not contain these requests. If streams were changed, record again:\n${shown.join('')}${more}`,
  );
}
