/** Longest private key, in characters. Keys of 16,384 bits are shorter. */
const LONGEST = 16 * 1024;

/** Maximum number of rounds of bcrypt. `ssh-keygen` uses 16 or 24; the thread is blocked while they are computed. */
const MOST_ROUNDS = 64;

const OPENSSH = /^-----BEGIN OPENSSH PRIVATE KEY-----(?:\r\n|\n)([\s\S]+)(?:\r\n|\n)-----END OPENSSH PRIVATE KEY-----$/;

/** Why a private key cannot be used, as far as this is known before its passphrase is tried; undefined if it can. */
export function privateKeyProblem(privateKey: string): string | undefined {
  if (privateKey.length > LONGEST) return `The private key is longer than ${LONGEST} characters`;
  const rounds = roundsOf(privateKey.trim());
  if (rounds === undefined || rounds <= MOST_ROUNDS) return undefined;
  const problem = `The private key is encrypted with ${rounds} rounds of bcrypt, and at most ${MOST_ROUNDS} are accepted`;
  return `${problem}: encrypt it again with \`ssh-keygen -p -a 16 -f FILE\``;
}

/** Rounds of the key derivation that the header of an OpenSSH key names; undefined for keys without one. */
function roundsOf(privateKey: string): number | undefined {
  const [, encoded] = OPENSSH.exec(privateKey) ?? [];
  if (encoded === undefined) return undefined;
  const data = Buffer.from(encoded, 'base64');
  const cipher = textAt(data, 'openssh-key-v1\0'.length);
  const derivation = textAt(data, cipher.end);
  const options = textAt(data, derivation.end).bytes;
  const salt = textAt(options, 0);
  return salt.end + 4 <= options.length ? options.readUInt32BE(salt.end) : undefined;
}

/** The text at a position, which its length precedes; empty if it does not end within the data. */
function textAt(data: Buffer, at: number): { readonly bytes: Buffer; readonly end: number } {
  if (at + 4 > data.length) return { bytes: Buffer.alloc(0), end: data.length };
  const end = at + 4 + data.readUInt32BE(at);
  return { bytes: data.subarray(at + 4, end), end };
}
