// What the scripts of the authorization pages share.

/** Changes only what differs in the steps of a check, so that screen readers announce only changes. */
export function update(shown: HTMLElement, next: HTMLElement): void {
  for (const part of ['.checks', '[role=status]']) {
    const [before, after] = [shown.querySelector(part), next.querySelector(part)];
    if (before && after && before.innerHTML !== after.innerHTML) before.innerHTML = after.innerHTML;
  }
  const [before, after] = [shown.querySelector('progress'), next.querySelector('progress')];
  if (before && after) before.value = after.value;
}

/** The steps of a check in a part of a page. */
export function stepsIn(text: string): HTMLElement | null {
  const template = document.createElement('template');
  template.innerHTML = text;
  return template.content.querySelector<HTMLElement>('#progress');
}

/** Filters the list of systems while the user types. */
export function filterSystems(): void {
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
