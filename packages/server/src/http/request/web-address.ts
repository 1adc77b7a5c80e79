/** Characters that a parser of addresses would drop or rewrite silently. */
const UNSAFE = /[\s\p{Cc}\\]/u;
const HOST = /^https?:\/\/([^/?#]+)/i;

/** Whether a text is an address of the web: `http` or `https`, with a host, and without a user or password. */
export function isWebAddress(text: string): boolean {
  const [, authority] = HOST.exec(text) ?? [];
  return authority !== undefined && !authority.includes('@') && !UNSAFE.test(text) && URL.canParse(text);
}
