// Improves the authorization pages, which work without it.

const LOOK_EVERY_MS = 800;

/** Shows how far a check is, and the next page when it has ended. */
async function follow(): Promise<void> {
  const shown = document.querySelector<HTMLElement>('#progress[data-changing]');
  if (!shown) return;
  const response = await fetch(`${location.pathname}/progress`, { cache: 'no-store' }).catch(() => undefined);
  const template = document.createElement('template');
  template.innerHTML = response?.ok ? await response.text() : '';
  const next = template.content.querySelector<HTMLElement>('#progress');
  if (next?.dataset.changing === undefined && response?.ok) return location.reload();
  if (next) update(shown, next);
  setTimeout(follow, LOOK_EVERY_MS);
}

/** Changes only what differs, so that screen readers announce only changes. */
function update(shown: HTMLElement, next: HTMLElement): void {
  for (const part of ['.checks', '[role=status]']) {
    const [before, after] = [shown.querySelector(part), next.querySelector(part)];
    if (before && after && before.innerHTML !== after.innerHTML) before.innerHTML = after.innerHTML;
  }
  const [before, after] = [shown.querySelector('progress'), next.querySelector('progress')];
  if (before && after) before.value = after.value;
}

/** Reduces the list of systems while the user types. */
function filterSystems(): void {
  const input = document.querySelector<HTMLInputElement>('#search');
  const systems = [...document.querySelectorAll<HTMLLIElement>('.systems > li')];
  if (input?.value !== '') return;
  input.addEventListener('input', () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const system of systems) {
      const text = system.textContent?.toLowerCase() ?? '';
      system.hidden = !words.every((word) => text.includes(word));
    }
  });
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
