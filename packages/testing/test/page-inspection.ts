import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Frame, Page } from 'playwright-core';
import { expect } from 'vitest';

export const THEMES = ['light', 'dark'] as const;
/** Widths in CSS pixels: a desktop, a phone, and the narrowest that has to work. */
export const WIDTHS = [1440, 390, 320] as const;
const HEIGHT = 900;

const axe = await readFile(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string }[];
}

export interface Inspection {
  /** Whether screenshots contain the whole document instead of the visible part. */
  readonly fullPage?: boolean;
  /** An expression that is an empty list unless something is misplaced, evaluated in the page at each width. */
  readonly misplaced?: string;
  /** Whether axe checks all rules in the dark theme as well, instead of only those for colors. */
  readonly allRules?: boolean;
}

/**
 * Expects that a page in both themes has no horizontal overflow at any width, and that axe finds nothing. Leaves the page in the
 * light theme and wide. `SCREENSHOTS` names a folder for screenshots; without it, none are taken.
 */
export async function inspect(page: Page, name: string, options: Inspection = {}): Promise<void> {
  const { fullPage = false, misplaced = '[]', allRules = false } = options;
  const folder = process.env.SCREENSHOTS;
  for (const colorScheme of THEMES) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: HEIGHT });
      const shown = await page.evaluate<number>('document.documentElement.scrollWidth');
      expect([name, width, shown]).toEqual([name, width, width]);
      expect([name, width, await page.evaluate<string[]>(misplaced)]).toEqual([name, width, []]);
      if (folder) await page.screenshot({ path: join(folder, `${name}-${width}-${colorScheme}.png`), fullPage });
    }
    // Only colors differ in the other theme, and the other rules take most of the time.
    const isFirst = colorScheme === THEMES[0];
    await expectAccessible(page, [name, colorScheme], isFirst || allRules ? [] : ['color-contrast']);
  }
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: WIDTHS[0], height: HEIGHT });
}

/** Expects that axe finds nothing in a page or frame by these rules, or by all if none are named. Frames in it are not examined. */
export async function expectAccessible(
  shown: Page | Frame,
  label: readonly unknown[],
  rules: readonly string[] = [],
): Promise<void> {
  await shown.evaluate(axe);
  const run = `axe.run(document, ${JSON.stringify({ iframes: false, ...(rules.length > 0 && { runOnly: rules }) })})`;
  const { violations } = await shown.evaluate<{ violations: Violation[] }>(run);
  const found = violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]);
  expect([...label, found]).toEqual([...label, []]);
}

/** The size of pictures for documents. */
const PICTURE = { width: 1280, height: 800 } as const;

/** Stores a picture of a page in `PICTURES`, as WebP, which is a third of PNG. Does nothing without this folder. */
export async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env.PICTURES;
  if (!folder) return;
  await page.setViewportSize(PICTURE);
  const browser = await page.context().newCDPSession(page);
  const { data } = await browser.send('Page.captureScreenshot', { format: 'webp', quality: 88 });
  await writeFile(join(folder, `${name}.webp`), Buffer.from(data, 'base64'));
  await page.setViewportSize({ width: WIDTHS[0], height: HEIGHT });
}
