// Improves the authorization pages, which also work without it.
import { filterSystems, stepsIn, update } from './page-parts.ts';

const LOOK_EVERY_MS = 800;
/** Maximum time to wait for a response of the server. */
const PATIENCE_MS = 30_000;

/** Shows the progress of a check, and the next page when it has ended. */
async function follow(): Promise<void> {
  const shown = document.querySelector<HTMLElement>('#progress[data-changing]');
  if (!shown) return;
  const progress = await readProgress().catch(() => undefined);
  const next = progress === undefined ? null : stepsIn(progress);
  if (progress !== undefined && next?.dataset.changing === undefined) return location.reload();
  if (next) update(shown, next);
  setTimeout(follow, LOOK_EVERY_MS);
}

/** The progress of the check; undefined if the server cannot report it now. */
async function readProgress(): Promise<string | undefined> {
  const signal = AbortSignal.timeout(PATIENCE_MS);
  const response = await fetch(`${location.pathname}/progress`, { cache: 'no-store', signal });
  return response.ok ? response.text() : undefined;
}

/** Makes sure that a form is sent only once, however often its button is pressed. */
function sendOnce(): void {
  document.addEventListener('submit', (event) => {
    const form = event.target as HTMLFormElement;
    if (form.dataset.sent) event.preventDefault();
    form.dataset.sent = 'true';
    document.body.dataset.waiting = 'true';
  });
  // The browser may show this page again in the state in which it was left.
  addEventListener('pageshow', () => {
    delete document.body.dataset.waiting;
    for (const form of document.forms) delete form.dataset.sent;
  });
}

filterSystems();
sendOnce();
void follow();
