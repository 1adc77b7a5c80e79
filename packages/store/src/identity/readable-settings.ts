import { asOwner, type Store } from '../access/store.ts';
import { type KeyRing, keyRing, openWith } from '../keys/key-ring.ts';
import { SecretKeyMissing } from '../secrets/secret-key.ts';

/**
 * The decrypted settings of connections by id, read with one query. Settings that were encrypted with a lost key are missing; a
 * connection without settings can only be listed and removed. Never log them.
 */
export async function readableSettings(
  store: Store,
  ids: readonly string[],
): Promise<Map<string, Record<string, unknown>>> {
  const { rows } = await asOwner<{ id: string; settings: string }>(
    store,
    'select id, settings from unified.connections where id = any($1::uuid[])',
    [[...ids]],
  );
  if (rows.length === 0) return new Map();
  const ring = await keyRing(store);
  return new Map(rows.flatMap(({ id, settings }) => readable(ring, id, settings)));
}

function readable(ring: KeyRing, id: string, sealed: string): [string, Record<string, unknown>][] {
  try {
    return [[id, openedSettings(ring, id, sealed)]];
  } catch (error) {
    if (error instanceof SecretKeyMissing) return [];
    throw error;
  }
}

/** Decrypts the settings of one connection. */
export function openedSettings(ring: KeyRing, id: string, sealed: string): Record<string, unknown> {
  // Earlier releases kept the schedule in the settings. It is still in settings that could not be decrypted when it was moved.
  const { sync: _, ...settings } = JSON.parse(openWith(ring, settingsOf(id), sealed));
  return settings;
}

/** Where the settings of a connection are stored, encrypted. */
export function settingsOf(row: string) {
  return { table: 'connections', column: 'settings', row } as const;
}
