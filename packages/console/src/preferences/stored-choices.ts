/** What a person chose in this browser: language, theme, columns. Secrets are never stored. */
const PREFIX = 'console.';

/** A stored choice, undefined if there is none or it cannot be read. */
export function readChoice<Value>(name: string): Value | undefined {
  try {
    const text = localStorage.getItem(PREFIX + name);
    return text === null ? undefined : (JSON.parse(text) as Value);
  } catch {
    return undefined;
  }
}

/** Stores a choice. Without storage, such as in a private window, it lasts until the page is left. */
export function storeChoice(name: string, value: unknown): void {
  try {
    localStorage.setItem(PREFIX + name, JSON.stringify(value));
  } catch {
    // The choice still applies to the open page.
  }
}
