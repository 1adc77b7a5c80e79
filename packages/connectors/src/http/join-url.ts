/**
 * The address of `path` below `base`. The result never leaves the origin or the path of `base`, whatever `path` holds
 * (`//elsewhere`, `..`, a full address).
 *
 * @throws {TypeError} when it would
 */
export function joinUrl(base: string, path: string): URL {
  const root = new URL(base.endsWith('/') ? base : `${base}/`);
  const url = new URL(path.replace(/^\/+/, ''), root);
  const inside = url.origin === root.origin && url.username === '' && url.pathname.startsWith(root.pathname);
  if (!inside) throw new TypeError(`"${path}" leads out of ${root.href}`);
  return url;
}
