import { clientDocument, type ServiceError } from '@unified/contract';
import type { Request } from 'express';
import { html } from '../html.ts';
import type { HttpResponse } from '../http-response.ts';
import { errorResponse } from './response/error-response.ts';

/**
 * The response for an address without a page: a page for browsers, JSON for other clients. `root` is the path of the server.
 */
export function notFoundResponse(
  request: Request,
  error: ServiceError,
  { root, headers }: { readonly root: string; readonly headers: Readonly<Record<string, string>> },
): HttpResponse {
  if (request.accepts(['json', 'html']) !== 'html') {
    const answer = errorResponse(error);
    return { ...answer, headers: { ...answer.headers, Vary: 'Accept' } };
  }
  const type = 'text/html; charset=utf-8';
  return { status: 404, type, body: notFoundPage(root, error.message), headers: { ...headers, Vary: 'Accept' } };
}

function notFoundPage(root: string, message: string): string {
  const { title } = clientDocument().info;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Page not found – ${title}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${root}/docs/reference.css">
<script src="${root}/docs/choices.js"></script>
</head>
<body>
<header><a class="brand" href="${root}/docs">${title}</a></header>
<div class="page guide not-found">
<main id="content">
<h1>Page not found</h1>
<p>${message}</p>
<ul><li><a href="${root}/docs">Reference</a></li><li><a href="${root}/docs/errors">Error codes</a></li><li><a href="${root}/llms.txt">List of all pages, as text</a></li></ul>
</main>
</div>
</body>
</html>
`.text;
}
