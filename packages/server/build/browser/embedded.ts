// The authorization pages in a frame of an application. Forms are sent without navigation, so that the history of the
// surrounding page is unchanged and no address contains a secret.
import { filterSystems, stepsIn, update } from './page-parts.ts';

const LOOK_EVERY_MS = 800;
/** Milliseconds after which a page without a check looks again whether its session has ended. */
const REST_MS = 5_000;
/** Maximum time to wait for a response of the server. */
const PATIENCE_MS = 30_000;

/** Reports to the surrounding page. The server names its origin, and no other page receives the message. */
function report(message: object): void {
  const { embedder } = document.body.dataset;
  if (embedder) parent.postMessage({ service: 'unified-embed', version: 1, ...message }, embedder);
}

function secret(): string {
  return document.querySelector<HTMLInputElement>('input[name=token]')?.value ?? '';
}

interface PageResponse {
  readonly status: number;
  readonly text: string;
}

/** The response to a form; undefined if the server cannot be reached, or does not send the whole response in time. */
async function send(action: string, fields: URLSearchParams): Promise<PageResponse | undefined> {
  const signal = AbortSignal.timeout(PATIENCE_MS);
  try {
    const response = await fetch(action, { method: 'POST', body: fields, cache: 'no-store', signal });
    return { status: response.status, text: await response.text() };
  } catch {
    return undefined;
  }
}

const toSession = (action: string) => send(`${location.pathname}/${action}`, new URLSearchParams({ token: secret() }));

/** Shows a page of the server in place of this one. */
function show(text: string): void {
  const next = new DOMParser().parseFromString(text, 'text/html');
  document.title = next.title;
  document.documentElement.lang = next.documentElement.lang;
  const loaded = new Set([...document.styleSheets].map(({ href }) => href));
  for (const sheet of next.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]'))
    if (!loaded.has(new URL(sheet.getAttribute('href') ?? '', location.href).href)) document.head.append(sheet);
  document.body.replaceWith(next.body);
  begin();
  const heading = document.querySelector<HTMLElement>('.alert, h1');
  heading?.setAttribute('tabindex', '-1');
  heading?.focus();
}

/** Shows that the server cannot carry out a request now, above what was entered. */
function showFailure(text: string): void {
  const { failed = '' } = document.body.dataset;
  const lead = new DOMParser().parseFromString(text, 'text/html').querySelector('main p')?.textContent ?? failed;
  document.querySelector('.failure')?.remove();
  const alert = document.createElement('p');
  alert.className = 'alert failure';
  alert.setAttribute('role', 'alert');
  alert.textContent = lead;
  document.querySelector('main')?.prepend(alert);
}

async function submit(form: HTMLFormElement, button: HTMLElement | null): Promise<void> {
  const { body } = document;
  if (body.dataset.waiting) return;
  body.dataset.waiting = 'true';
  const fields = [...new FormData(form, button)].map(([name, value]) => [name, String(value)]);
  const response = await send(form.getAttribute('action') ?? '', new URLSearchParams(fields));
  delete body.dataset.waiting;
  if (!response || response.status === 429 || response.status >= 500) showFailure(response?.text ?? '');
  else show(response.text);
}

let timer: ReturnType<typeof setTimeout> | undefined;

/** Schedules the next look, sooner during a check. A page without a session does not change. */
function planLook(): void {
  clearTimeout(timer);
  const isChecking = document.querySelector('#progress[data-changing]') !== null;
  if (secret()) timer = setTimeout(look, isChecking ? LOOK_EVERY_MS : REST_MS);
}

/** Shows the progress of a check, and the next page when the check or the session has ended. */
async function look(): Promise<void> {
  const { body } = document;
  const response = document.hidden ? undefined : await toSession('progress');
  // Another page may have been shown in the meantime, or be about to be shown.
  if (response && body === document.body && !body.dataset.waiting) await showProgress(response);
  planLook();
}

async function showProgress({ status, text }: PageResponse): Promise<void> {
  const shown = document.querySelector<HTMLElement>('#progress[data-changing]');
  if (status === 410) return show(text);
  if (!shown || status !== 200) return;
  const next = stepsIn(text);
  if (next?.dataset.changing !== undefined) return update(shown, next);
  const response = await toSession('show');
  if (response && response.status < 429) show(response.text);
}

/** Whether the page that is shown reports that its session has ended. */
function hasEnded(): boolean {
  return JSON.parse(document.body.dataset.message ?? '{}').event === 'ended';
}

/** Starts with the page that is shown. */
function begin(): void {
  const { message } = document.body.dataset;
  if (message) report(JSON.parse(message));
  filterSystems();
  planLook();
}

/** Takes the token from the address, so that it stays neither there nor in the history, and uses it to open the session. */
function open(form: HTMLFormElement): void {
  const token = form.elements.namedItem('token') as HTMLInputElement;
  token.value = location.hash.slice(1);
  history.replaceState(null, '', location.pathname);
  form.requestSubmit();
}

document.addEventListener('submit', (event) => {
  event.preventDefault();
  void submit(event.target as HTMLFormElement, event.submitter);
});
document.addEventListener('keydown', ({ key, target }) => {
  // Escape first clears a search field.
  const isFilled = target instanceof HTMLInputElement && target.type === 'search' && target.value !== '';
  if (key === 'Escape' && !isFilled) report({ event: 'exit', reason: hasEnded() ? 'ended' : 'dismissed' });
});
const opening = document.querySelector<HTMLFormElement>('#open');
if (opening) open(opening);
else begin();
