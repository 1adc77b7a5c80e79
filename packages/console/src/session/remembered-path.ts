const KEY = 'path-after-sign-in';

/** The page to open after signing in: only a path of these pages, since the address could name any other. */
export function pathAfterSignIn(next: string | undefined): string {
  return next?.startsWith('/') && !next.startsWith('//') && !next.startsWith('/\\') ? next : '/';
}

/** Keeps the path while the browser is at the provider. */
export function rememberPath(next: string | undefined): void {
  if (next === undefined) sessionStorage.removeItem(KEY);
  else sessionStorage.setItem(KEY, next);
}

/** The path that was kept, once. */
export function rememberedPath(): string {
  const next = sessionStorage.getItem(KEY) ?? undefined;
  sessionStorage.removeItem(KEY);
  return pathAfterSignIn(next);
}
