import { addressSettings, type Json, type Platform, type SettingProblem, settingsProblems } from '@unified/connectors';
import { ServiceError } from '@unified/contract';
import { isSameSystem } from './connections-to-system.ts';
import { OPERATOR_SETTINGS, operatorSettingProblems } from './operator-settings.ts';

/**
 * The settings after changes by the application. A private host that an operator has allowed for one system is not allowed for
 * another.
 */
export function changedSettings(platform: Platform, before: Record<string, Json>, changes: Record<string, Json>) {
  const settings = { ...before, ...changes };
  if (isSameSystem(platform, before, settings) && !movedAddress(platform, before, changes)) return settings;
  return Object.fromEntries(Object.entries(settings).filter(([name]) => !OPERATOR_SETTINGS.includes(name)));
}

/** Throws if settings for operators were sent, or settings that the platform does not allow. */
export function refuseSettings(
  platform: Platform,
  sent: Readonly<Record<string, Json>>,
  all: Readonly<Record<string, Json>> = sent,
): void {
  refuseOperatorSettings(sent);
  const wrong = settingsProblems(platform, all);
  if (wrong.length > 0) throw invalidBody(wrong.map(settingDetail));
}

/**
 * Throws if an address changes and stored secrets would be kept: otherwise, whoever may change settings could have them sent to
 * a host of their own.
 */
export function refuseKeptSecrets(
  platform: Platform,
  before: Record<string, Json>,
  changes: Record<string, Json>,
): void {
  // The parameters of an address can change where and how secrets are sent.
  const hasNewParameters = (name: string) => parametersOf(changes[name]) !== parametersOf(before[name]);
  const moved = movedAddress(platform, before, changes) ?? sentAddresses(platform, changes).find(hasNewParameters);
  const kept = platform.secrets.filter((name) => Object.hasOwn(before, name) && !Object.hasOwn(changes, name));
  if (moved === undefined || kept.length === 0) return;
  const message = `\`${moved}\` identifies the system, and it changes. Send this secret again, because stored secrets are not sent to another system.`;
  throw invalidBody(kept.map((name) => ({ path: `body/settings/${name}`, message })));
}

/**
 * The first address that leads to another place, whether it identifies the system or, such as a token address, does not. Its
 * parameters do not count.
 */
export function movedAddress(
  platform: Platform,
  before: Readonly<Record<string, Json>>,
  changes: Readonly<Record<string, Json>>,
): string | undefined {
  return sentAddresses(platform, changes).find((name) => leadsElsewhere(platform, name, before, changes));
}

/** Names of the addresses that were sent. */
function sentAddresses(platform: Platform, changes: Readonly<Record<string, Json>>): string[] {
  return addressSettings(platform).filter((name) => Object.hasOwn(changes, name));
}

function leadsElsewhere(
  platform: Platform,
  name: string,
  before: Readonly<Record<string, Json>>,
  changes: Readonly<Record<string, Json>>,
): boolean {
  return !isSameSystem({ ...platform, identifiedBy: [name] }, before, changes);
}

function parametersOf(value: Json | undefined): string {
  return (typeof value === 'string' && URL.parse(value)?.search) || '';
}

function refuseOperatorSettings(settings: Readonly<Record<string, unknown>>): void {
  const [wrong] = operatorSettingProblems(settings);
  if (wrong) throw invalidBody([{ path: `body/settings/${wrong.setting}`, message: wrong.remedy }]);
}

function settingDetail({ setting, problem, remedy }: SettingProblem) {
  return { path: `body/settings/${setting.replaceAll('.', '/')}`, message: `The setting ${problem}. ${remedy}`.trim() };
}

/** The error for invalid settings in a request. */
export function invalidBody(details: readonly { readonly path: string; readonly message: string }[]): ServiceError {
  const message = details.map((each) => `${each.path}: ${each.message}`).join(' ');
  return new ServiceError('SERVICE_INVALID_BODY', message, { details });
}
