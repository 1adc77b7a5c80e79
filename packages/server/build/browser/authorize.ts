// Improves the authorization pages, which work without it.
import { filterSystems, stepsIn, update } from './page-parts.ts';

const LOOK_EVERY_MS = 800;

/** Shows how far a check is, and the next page when it has ended. */
async function follow(): Promise<void> {
  const shown = document.querySelector<HTMLElement>('#progress[data-changing]');
  if (!shown) return;
  const response = await fetch(`${location.pathname}/progress`, { cache: 'no-store' }).catch(() => undefined);
  const next = stepsIn(response?.ok ? await response.text() : '');
  if (next?.dataset.changing === undefined && response?.ok) return location.reload();
  if (next) update(shown, next);
  setTimeout(follow, LOOK_EVERY_MS);
}

/** A form is sent once, however often its button is pressed. */
function sendOnce(): void {
  document.addEventListener('submit', (event) => {
    const form = event.target as HTMLFormElement;
    if (form.dataset.sent) event.preventDefault();
    form.dataset.sent = 'true';
    document.body.dataset.waiting = 'true';
  });
  // The browser may show this page again as it was left.
  addEventListener('pageshow', () => {
    delete document.body.dataset.waiting;
    for (const form of document.forms) delete form.dataset.sent;
  });
}

filterSystems();
sendOnce();
void follow();
