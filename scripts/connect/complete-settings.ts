import { type Json, type Platform, settingsOf, settingsProblems } from '@unified/connectors';
import type { Given } from '../command-line/flags.ts';
import { refuseProblems } from '../command-line/usage.ts';
import { ask } from './ask-secret.ts';
import { givenSettings, type Settings, settingLine } from './setting-flags.ts';

/**
 * The settings of the command line, completed with required secrets, which the user is prompted for. Throws a `UsageError` with
 * `problems` and the problems of the settings; `see` is the command whose help describes the settings.
 */
export async function completeSettings(
  platform: Platform,
  given: Given,
  problems: readonly string[],
  see: string,
): Promise<Settings> {
  const settings = givenSettings(platform, given);
  const prompted = askedFor(platform, settings);
  const wrong = settingsProblems(platform, settings).filter(({ setting }) => !prompted.includes(setting));
  refuseProblems([...problems, ...wrong.map(settingLine)], see);
  const answers = await ask(prompted.map((name) => ({ title: settingsOf(platform).get(name)?.title ?? name })));
  const complete: Record<string, Json> = { ...settings };
  for (const [index, name] of prompted.entries()) if (answers[index]) complete[name] = answers[index];
  refuseProblems(settingsProblems(platform, complete).map(settingLine), see);
  return complete;
}

/**
 * Secrets that are required, always or by other settings, and that are not in the command line, which other users can see and
 * the shell history stores.
 */
function askedFor(platform: Platform, settings: Settings): string[] {
  const problems = settingsProblems(platform, settings);
  const isMissing = (name: string) => settings[name] === undefined && problems.some(({ setting }) => setting === name);
  return platform.secrets.filter(isMissing);
}
