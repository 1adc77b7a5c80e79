/** Path of the pages that applications embed, on this server. */
export const EMBED_PATH = '/oauth/embed';
/** Path of setup links, at which people connect a system for an end customer. */
export const SETUP_PATH = '/oauth/setup';
/** Path of the pages on which users authorize agents. */
export const AGENT_PATH = '/oauth/agents';

/**
 * Hosts with other characters are excluded: in a policy, a browser gives `*`, `;` and `,` a special meaning, and it cannot
 * match an IPv6 address.
 */
const PLAIN = /^https?:\/\/[a-z0-9.-]+(?::\d+)?$/;

/**
 * The origin of a redirect URI, such as `https://portal.northwind.example`, in the form that `frame-ancestors` and
 * `postMessage` compare. Undefined if pages of that origin cannot embed others.
 */
export function framingOrigin(redirectUri: string): string | undefined {
  const { origin } = new URL(redirectUri);
  return PLAIN.test(origin) ? origin : undefined;
}
