import { randomUUID as newId } from 'node:crypto';
import { addressOf, dataPrefix } from '@unified/contract';
import {
  type AgentGrant,
  type ConsoleTokenHolder,
  DEFAULT_SCOPES,
  familyHolder,
  type IssuedTokens,
  type KeyPair,
  type McpTokenHolder,
  mcpUserByAuthorization,
  mcpUserByTokenId,
  type Store,
  signingKey,
  type TokenHolder,
  verificationKey,
  verificationKeys,
} from '@unified/store';
import {
  type CompactJWSHeaderParameters,
  type CryptoKey,
  errors,
  exportJWK,
  generateKeyPair,
  importJWK,
  type JWTPayload,
  jwtVerify,
  SignJWT,
} from 'jose';
import { LRUCache } from 'lru-cache';

const ALGORITHM = 'ES256';
const TYPE = 'at+jwt';
const LIFETIME_SECONDS = 30 * 24 * 3600;
/** Agents renew their tokens themselves, with the personal access token. */
const AGENT_LIFETIME_SECONDS = 3600;
/** Milliseconds for which a process uses keys without reading them again. */
const KEYS_MS = 60_000;

/** The holder of an access token for the Management API. */
export interface AdminHolder {
  readonly clientId: string;
  readonly applicationId: string;
  /** RFC 3339. */
  readonly expiresAt: string;
  /** The operator of the console to whom it was issued, and the session; absent for the token of a client. */
  readonly operator?: ConsoleTokenHolder['operator'];
}

/** The authorization of an agent by its user. */
type Authorized = Pick<AgentGrant, 'authorizationId' | 'clientId'>;

/** A signed access token. */
export interface SignedToken {
  readonly token: string;
  /** Milliseconds since 1970, in whole seconds. */
  readonly expiresAt: number;
}

/** The claims that identify a token. */
interface Claims extends JWTPayload {
  readonly jti: string;
  readonly sid: string;
  readonly exp: number;
  readonly client_id: string;
}

/** Access tokens of OAuth: JSON Web Tokens (RFC 9068), each of which is valid while it is the latest one of its family. */
export interface AccessTokens {
  sign(issued: IssuedTokens): Promise<SignedToken>;
  /** The holder of a token for the data of a connection. Null if the token is for something else, or is not valid. */
  connectionHolder(token: string): Promise<TokenHolder | null>;
  /** The holder of a token for the Management API. Null if the token is for something else, or is not valid. */
  adminHolder(token: string): Promise<AdminHolder | null>;
  /**
   * A token for the Model Context Protocol, which is valid as long as this personal access token and, if it is given, the
   * authorization with it are, at most an hour.
   */
  signForAgent(user: McpTokenHolder, authorized?: Authorized): Promise<SignedToken>;
  /** The holder of such a token. Null if it is for something else, or not valid. */
  agentHolder(token: string): Promise<McpTokenHolder | null>;
  /** The authorization of such a token, even if it has expired or has ended; otherwise null. */
  authorizationOf(token: string): Promise<string | null>;
  /** The family of a token that was signed here, even if it has expired or was revoked; otherwise null. */
  familyOf(token: string): Promise<string | null>;
  /** Public keys of all tokens that may be valid, as JSON Web Keys. */
  publishedKeys(): Promise<PublishedKey[]>;
}

/** A public key as a JSON Web Key. */
export interface PublishedKey {
  readonly kty: string;
  readonly kid: string;
  readonly use: string;
  readonly alg: string;
}

/** The scope of tokens for the Model Context Protocol. */
export const MCP_SCOPE = 'mcp';

/** The address of the Model Context Protocol, which is the audience of these tokens. */
export function mcpResource(publicUrl: string): string {
  return publicUrl + addressOf('sendMcpMessage');
}

/** Access tokens of a service with this public address, which is their issuer. */
export function createAccessTokens(store: Store, publicUrl: string): AccessTokens {
  const issuer = publicUrl;
  const audience = `${publicUrl}${dataPrefix}`;
  const agentAudience = mcpResource(publicUrl);
  const keyById = createKeyById(store);
  const currentKey = createCurrentKey(store);

  async function verified(token: string, audience: string): Promise<Claims | null> {
    try {
      const options = { algorithms: [ALGORITHM], typ: TYPE, issuer, audience, requiredClaims: ['exp', 'jti', 'sid'] };
      const { payload } = await jwtVerify(token, (header: CompactJWSHeaderParameters) => keyById(header.kid), options);
      return payload as Claims;
    } catch (error) {
      // Signature, issuer and audience are checked first; the caller reports the expiry.
      if (error instanceof errors.JWTExpired) return error.payload as Claims;
      if (error instanceof errors.JOSEError) return null;
      throw error;
    }
  }

  async function holderOf(token: string) {
    const claims = isSigned(token) ? await verified(token, audience) : null;
    const holder = claims && (await familyHolder(store, claims.sid, claims.jti));
    return holder && { ...holder, tokenId: claims.jti, expiresAt: new Date(claims.exp * 1000).toISOString() };
  }

  /** The user of an agent's token: by its authorization or, for tokens of the client credentials, the personal access token. */
  const userOfAgent = (claims: Claims) =>
    isAuthorized(claims) ? mcpUserByAuthorization(store, claims.sid) : mcpUserByTokenId(store, claims.sid);

  return {
    async sign({ clientId, connectionId, scope, familyId, tokenId }) {
      const { id, key } = await currentKey();
      const now = Math.floor(Date.now() / 1000);
      const token = await new SignJWT({ client_id: clientId, scope, sid: familyId })
        .setProtectedHeader({ alg: ALGORITHM, typ: TYPE, kid: id })
        .setIssuer(issuer)
        .setAudience(audience)
        .setSubject(connectionId ?? clientId)
        .setJti(tokenId)
        .setIssuedAt(now)
        .setExpirationTime(now + LIFETIME_SECONDS)
        .sign(key);
      return { token, expiresAt: (now + LIFETIME_SECONDS) * 1000 };
    },
    async connectionHolder(token) {
      const holder = await holderOf(token);
      if (!holder?.connection) return null;
      const { applicationId, tokenId, expiresAt, connection } = holder;
      const { id: connectionId, platform, mappingVersion, status } = connection;
      const of = { applicationId, connectionId, platform, mappingVersion };
      return { ...of, status, tokenId, expiresAt, scopes: DEFAULT_SCOPES, access: null };
    },
    async adminHolder(token) {
      const holder = await holderOf(token);
      if (!holder || holder.connection) return null;
      const { clientId, applicationId, expiresAt } = holder;
      return { clientId, applicationId, expiresAt };
    },
    async signForAgent({ userId, tokenId, expiresAt: end }, authorized) {
      const { id, key } = await currentKey();
      const now = Math.floor(Date.now() / 1000);
      const expiry = Math.min(now + AGENT_LIFETIME_SECONDS, end === null ? Number.POSITIVE_INFINITY : secondsOf(end));
      const { clientId, authorizationId } = authorized ?? { clientId: tokenId, authorizationId: tokenId };
      const token = await new SignJWT({ client_id: clientId, scope: MCP_SCOPE, sid: authorizationId })
        .setProtectedHeader({ alg: ALGORITHM, typ: TYPE, kid: id })
        .setIssuer(issuer)
        .setAudience(agentAudience)
        .setSubject(userId)
        .setJti(newId())
        .setIssuedAt(now)
        .setExpirationTime(expiry)
        .sign(key);
      return { token, expiresAt: expiry * 1000 };
    },
    async agentHolder(token) {
      const claims = isSigned(token) ? await verified(token, agentAudience) : null;
      const holder = claims && (await userOfAgent(claims));
      if (!holder) return null;
      const ends = [claims.exp * 1000, ...(holder.expiresAt === null ? [] : [Date.parse(holder.expiresAt)])];
      return { ...holder, expiresAt: new Date(Math.min(...ends)).toISOString() };
    },
    async authorizationOf(token) {
      const claims = isSigned(token) ? await verified(token, agentAudience) : null;
      return claims && isAuthorized(claims) ? claims.sid : null;
    },
    familyOf: async (token) => (isSigned(token) ? ((await verified(token, audience))?.sid ?? null) : null),
    async publishedKeys() {
      await currentKey();
      const keys = await verificationKeys(store);
      return keys.map(({ id, publicKey }) => ({ kty: '', ...publicKey, kid: id, use: 'sig', alg: ALGORITHM }));
    },
  };
}

/** Whether a token has the form of a JSON Web Token; other tokens of this service contain no dots. */
export function isSigned(token: string): boolean {
  return token.split('.').length === 3;
}

/** Returns the public key with an id. Throws an error of `jose` if there is none. */
function createKeyById(store: Store) {
  const known = new LRUCache<string, CryptoKey>({ max: 100, ttl: KEYS_MS });
  return async (id = ''): Promise<CryptoKey> => {
    const cached = known.get(id);
    if (cached) return cached;
    const found = await verificationKey(store, id);
    if (!found) throw new errors.JWKSNoMatchingKey();
    const key = await imported(found.publicKey);
    known.set(id, key);
    return key;
  };
}

/** Returns the key that signs. A key that another process has added is used after at most a minute. */
function createCurrentKey(store: Store) {
  let current: Promise<{ readonly id: string; readonly key: CryptoKey }> | undefined;
  let until = 0;
  const read = async () => {
    const { id, privateKey } = await signingKey(store, newKeyPair);
    return { id, key: await imported(JSON.parse(privateKey)) };
  };
  return () => {
    if (current && performance.now() < until) return current;
    until = performance.now() + KEYS_MS;
    current = read();
    current.catch(() => {
      until = 0;
    });
    return current;
  };
}

async function imported(key: Parameters<typeof importJWK>[0]): Promise<CryptoKey> {
  const made = await importJWK(key, ALGORITHM);
  if (made instanceof Uint8Array) throw new Error('A signing key is not an asymmetric key.');
  return made;
}

/** A new key pair for access tokens. */
export async function newKeyPair(): Promise<KeyPair> {
  const { publicKey, privateKey } = await generateKeyPair(ALGORITHM, { extractable: true });
  return {
    publicKey: (await exportJWK(publicKey)) as Record<string, string>,
    privateKey: JSON.stringify(await exportJWK(privateKey)),
  };
}

/** Whether an agent's token is that of an authorization. The client of any other one is the personal access token itself. */
function isAuthorized({ client_id: clientId, sid }: Claims): boolean {
  return clientId !== sid;
}

/** Whole seconds since 1970. */
function secondsOf(time: string): number {
  return Math.floor(Date.parse(time) / 1000);
}
