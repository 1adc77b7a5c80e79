import { ERROR_TABLE_PLACE, errorTable } from '@unified/contract';
import { type Html, html } from '../src/html.ts';
import type { Markdown } from './markdown.ts';

/** What the document says about an error code. */
interface ErrorEntry {
  readonly status: number;
  readonly retryable: boolean;
  readonly when: string;
  readonly do: string;
}

const codes = Object.entries<ErrorEntry>(errorTable);

/** The section on errors as HTML: the text around the codes, and a section with an anchor for each code. */
export function errorPage(text: string, markdown: Markdown): Html {
  const [before = '', after = ''] = around(text);
  return html`${markdown.block(before)}
<h2 id="codes">Error codes</h2>
<div class="errors">${codes.map(
    ([code, { status, retryable, when, do: remedy }]) => html`<section class="error" aria-labelledby="${code}">
<h3 id="${code}"><a href="#${code}"><code>${code}</code></a> <span class="badge">${status}</span>${retryable && html` <span class="badge retryable">Retryable</span>`}</h3>
<p>${markdown.inline(when)}</p><p><strong>What to do:</strong> ${markdown.inline(remedy)}</p></section>
`,
  )}</div>
${markdown.block(after)}`;
}

/** The text before and after the codes. Throws if the text has no placeholder for them. */
function around(text: string): string[] {
  if (!text.includes(ERROR_TABLE_PLACE)) throw new Error(`The section on errors has no ${ERROR_TABLE_PLACE}.`);
  return text.split(ERROR_TABLE_PLACE);
}

/** All codes, each with its status and the situation in which it is returned. */
export function errorCodes(): { readonly code: string; readonly status: number; readonly when: string }[] {
  return codes.map(([code, { status, when }]) => ({ code, status, when }));
}
