import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { type Json, type Platform, settingSentence, settingsProblems } from '@unified/connectors';
import { Refusal } from '../command-line/usage.ts';

/** The settings of a connection in a file; `-` is standard input. Throws `Refusal` if they cannot be used. */
export async function settingsFile(platform: Platform, file: string): Promise<Readonly<Record<string, Json>>> {
  const settings = parsed(await contentOf(file), file);
  const problems = settingsProblems(platform, settings);
  if (problems.length === 0) return settings;
  throw new Refusal(`The settings in ${file} cannot be used.`, problems.map(settingSentence).join('\n  '));
}

async function contentOf(file: string): Promise<string> {
  try {
    return file === '-' ? await text(process.stdin) : await readFile(file, 'utf8');
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Refusal(`The settings cannot be read: ${reason}.`, 'Send the name of a file.', { cause: error });
  }
}

/** The error from the parser is not shown, because it can quote secrets. */
function parsed(content: string, file: string): Readonly<Record<string, Json>> {
  const remedy = 'Write them as an object, such as { "url": "https://erp.example.com" }.';
  const refusal = () => new Refusal(`The settings in ${file} are not an object in JSON.`, remedy);
  try {
    const value: unknown = JSON.parse(content);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, Json>;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw refusal();
}
