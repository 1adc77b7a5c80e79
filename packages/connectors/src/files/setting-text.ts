import type { Json } from '../json.ts';

/** The text of a setting; empty if it is not set. */
export function settingText(settings: Readonly<Record<string, Json>>, name: string): string {
  return String(settings[name] ?? '');
}
