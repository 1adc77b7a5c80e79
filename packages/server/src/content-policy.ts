/**
 * The content security policy of a page that loads only files of this server. `formAction` lists the targets of its forms;
 * `embedder` is the origin whose pages can embed it.
 */
export function contentPolicy(formAction: string, embedder = "'none'"): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    `form-action ${formAction}`,
    "base-uri 'none'",
    `frame-ancestors ${embedder}`,
  ].join('; ');
}
