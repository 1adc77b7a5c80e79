import type { Json, Platform } from '@unified/connectors';

/** Settings with one wrong secret. */
export interface WrongSecret {
  readonly setting: string;
  /** Only the settings that differ. */
  readonly settings: Readonly<Record<string, Json>>;
}

/**
 * For each secret in the settings, the same settings with a wrong secret of equal length. In an address, only the password is
 * replaced; an address without a password is not a secret.
 */
export function wrongSecrets(
  { secrets }: Pick<Platform, 'secrets'>,
  settings: Readonly<Record<string, Json>>,
): WrongSecret[] {
  return secrets.flatMap((setting) => {
    const wrong = wrongValue(settings[setting]);
    return wrong === undefined ? [] : [{ setting, settings: { [setting]: wrong } }];
  });
}

function wrongValue(value: Json | undefined): string | undefined {
  if (typeof value !== 'string' || value === '') return undefined;
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(value)) return withNextLetter(value);
  const url = new URL(value);
  if (url.password === '') return undefined;
  return Object.assign(url, { password: withNextLetter(decodeURIComponent(url.password)) }).href;
}

/**
 * A different text with the same length and kinds of characters. The first and the last character differ, because some systems
 * ignore the version at the beginning of a token, or everything after the first characters of a password.
 */
function withNextLetter(text: string): string {
  const next = (letter: string) => (/[0-8a-y]/i.test(letter) ? String.fromCharCode(letter.charCodeAt(0) + 1) : 'a');
  return [...text]
    .map((letter, index, { length }) => (index === 0 || index === length - 1 ? next(letter) : letter))
    .join('');
}
