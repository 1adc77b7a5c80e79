import type pg from 'pg';

/** Address under which clients reach an installation: links in records begin with it. */
export interface PublicAddress {
  /** Without a trailing slash. */
  readonly url: string;
  /** Whether a user chose it (`PUBLIC_URL`). Otherwise it is `http://localhost:PORT`, and follows the port. */
  readonly isSet: boolean;
}

/** The address that a process was started with. */
export interface WantedAddress extends PublicAddress {
  /** Whether the process serves requests at it; a worker does not. */
  readonly serves: boolean;
}

/** Thrown when a process is started with an address other than the one that running processes write into links. */
export class AddressConflict extends Error {
  constructor(stored: string, wanted: string) {
    super(
      `The public address of this installation is ${stored}, and other processes of it are running. ` +
        `This process was started with PUBLIC_URL=${wanted}.`,
    );
  }
}

/**
 * The address to use. A stored address is changed only by a process that runs alone: by `PUBLIC_URL` or, if that was never set,
 * by the port of a server. Throws `AddressConflict`.
 */
export function chooseAddress(stored: PublicAddress | null, wanted: WantedAddress, isAlone: boolean): PublicAddress {
  const { url, isSet, serves } = wanted;
  if (stored === null) return { url, isSet };
  if (isSet) {
    if (stored.url !== url && !isAlone) throw new AddressConflict(stored.url, url);
    return { url, isSet };
  }
  return stored.isSet || !isAlone || !serves ? stored : { url, isSet };
}

const URL_SETTING = 'publicUrl';
const SET_SETTING = 'publicUrlIsSet';

/** Earlier releases stored only the URL. */
const FROM_PORT = /^http:\/\/localhost:\d+$/;

/** Whether the database has the settings of an installation, of this or another release. */
export async function hasSettings(client: pg.ClientBase | pg.Pool): Promise<boolean> {
  const { rows } = await client.query<{ isThere: boolean }>(
    `select to_regclass('unified.settings') is not null as "isThere"`,
  );
  return rows[0]?.isThere === true;
}

/** The stored address; null if the database has none yet. */
export async function storedAddress(client: pg.ClientBase | pg.Pool): Promise<PublicAddress | null> {
  if (!(await hasSettings(client))) return null;
  const found = await client.query<{ name: string; value: unknown }>(
    'select name, value from unified.settings where name = any($1)',
    [[URL_SETTING, SET_SETTING]],
  );
  const settings = new Map(found.rows.map(({ name, value }) => [name, value]));
  const url = settings.get(URL_SETTING);
  if (typeof url !== 'string') return null;
  const isSet = settings.get(SET_SETTING);
  return { url, isSet: typeof isSet === 'boolean' ? isSet : !FROM_PORT.test(url) };
}

/** Stores the address in one statement. */
export async function keepAddress(client: pg.ClientBase | pg.Pool, { url, isSet }: PublicAddress): Promise<void> {
  await client.query(
    `insert into unified.settings (name, value) values ($1, $2), ($3, $4)
     on conflict (name) do update set value = excluded.value`,
    [URL_SETTING, JSON.stringify(url), SET_SETTING, JSON.stringify(isSet)],
  );
}
