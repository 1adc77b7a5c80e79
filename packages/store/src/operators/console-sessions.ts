import { v7 as newId } from 'uuid';
import { asOwner, type Store } from '../access/store.ts';
import { randomToken, tokenHash } from '../secrets/random-token.ts';
import { isUuid } from '../sql/parameter.ts';
import { type ConsoleOperator, OPERATOR_COLUMNS } from './operators.ts';

/** How an operator signed in. */
export type SignInMethod = 'password' | 'passkey' | 'openid_connect' | 'link';

/** A session of an operator in a browser, without its secret. */
export interface ConsoleSession {
  readonly id: string;
  readonly operatorId: string;
  readonly method: SignInMethod;
  readonly address: string;
  readonly browser: string | null;
  readonly createdAt: string;
  /** To the minute. */
  readonly lastUsedAt: string;
  /** RFC 3339: when it ends if it is not used. */
  readonly expiresAt: string;
}

/** An open session with its operator. */
export interface OpenConsoleSession {
  readonly session: ConsoleSession;
  readonly operator: ConsoleOperator;
}

export type NewConsoleSession = Pick<ConsoleSession, 'operatorId' | 'method' | 'address' | 'browser'>;

/** A session ends after this time without a request. */
const IDLE = `interval '12 hours'`;
/** A session ends this long after the sign-in. */
const LONGEST = `interval '7 days'`;
const FORM = /^[\w-]{43}$/;
const ENDS = `least(s."expiresAt", s."lastUsedAt" + ${IDLE})`;
const COLUMNS = `s.id, s."operatorId", s.method, s.address, s.browser, s."createdAt", s."lastUsedAt", ${ENDS} as "expiresAt"`;

/** Starts a session. Its secret is returned once; only its hash is stored. Sessions that have ended are removed. */
export async function startConsoleSession(
  store: Store,
  { operatorId, method, address, browser }: NewConsoleSession,
): Promise<{ readonly secret: string; readonly session: ConsoleSession }> {
  const secret = randomToken('');
  await asOwner(store, `delete from unified.console_sessions s where ${ENDS} <= now()`);
  await asOwner(store, 'update unified.operators set "lastSignInAt" = now() where id = $1', [operatorId]);
  const { rows } = await asOwner<ConsoleSession>(
    store,
    `insert into unified.console_sessions as s (id, hash, "operatorId", method, address, browser, "expiresAt")
     values ($1, $2, $3, $4, $5, $6, now() + ${LONGEST}) returning ${COLUMNS}`,
    [newId(), tokenHash(secret), operatorId, method, address, browser],
  );
  const [session] = rows;
  if (!session) throw new Error('The session was not stored.');
  return { secret, session };
}

type SessionRow = ConsoleOperator & {
  readonly sessionId: string;
  readonly startedAt: string;
  readonly isRecent: boolean;
} & Pick<ConsoleSession, 'method' | 'address' | 'browser' | 'lastUsedAt' | 'expiresAt'>;

/** The open session with this secret, whose operator is active; otherwise null. Records its use, to the minute. */
export async function consoleSessionBySecret(store: Store, secret: string): Promise<OpenConsoleSession | null> {
  if (!FORM.test(secret)) return null;
  const { rows } = await asOwner<SessionRow>(
    store,
    `select s.id as "sessionId", s."createdAt" as "startedAt", s.method, s.address, s.browser, s."lastUsedAt",
            ${ENDS} as "expiresAt", s."lastUsedAt" > now() - interval '1 minute' as "isRecent", ${OPERATOR_COLUMNS}
       from unified.console_sessions s join unified.operators o on o.id = s."operatorId"
      where s.hash = $1 and ${ENDS} > now() and o."isActive"`,
    [tokenHash(secret)],
  );
  const [row] = rows;
  if (!row) return null;
  const { sessionId: id, startedAt: createdAt, isRecent, ...rest } = row;
  const { method, address, browser, lastUsedAt, expiresAt, ...operator } = rest;
  if (!isRecent) await asOwner(store, 'update unified.console_sessions set "lastUsedAt" = now() where id = $1', [id]);
  const session = { id, operatorId: operator.id, method, address, browser, createdAt, lastUsedAt, expiresAt };
  return { session, operator };
}

/** Open sessions of an operator, or of all, latest first. */
export async function listConsoleSessions(store: Store, operatorId?: string): Promise<ConsoleSession[]> {
  const { rows } = await asOwner<ConsoleSession>(
    store,
    `select ${COLUMNS} from unified.console_sessions s
      where ($1::uuid is null or s."operatorId" = $1) and ${ENDS} > now() order by s.id desc`,
    [operatorId ?? null],
  );
  return rows;
}

/** Ends a session, of this operator if one is given. Returns it as it was; null if there is none. */
export async function endConsoleSession(store: Store, id: string, operatorId?: string): Promise<ConsoleSession | null> {
  if (!isUuid(id)) return null;
  const { rows } = await asOwner<ConsoleSession>(
    store,
    `delete from unified.console_sessions s where s.id = $1 and ($2::uuid is null or s."operatorId" = $2)
     returning ${COLUMNS}`,
    [id, operatorId ?? null],
  );
  return rows[0] ?? null;
}

/** Ends all sessions of an operator but one. */
export async function endOtherSessions(store: Store, operatorId: string, kept: string | null = null): Promise<void> {
  await asOwner(
    store,
    'delete from unified.console_sessions where "operatorId" = $1 and id is distinct from $2::uuid',
    [operatorId, kept],
  );
}
