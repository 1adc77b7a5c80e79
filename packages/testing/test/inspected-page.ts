import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

const WIDTHS = [1440, 390, 320];
/** Texts that are broken within a word, or that extend beyond the border of their row. */
const MISPLACED = `[
  ...[...document.querySelectorAll('.step-name')].filter((name) => name.offsetHeight > 30),
  ...[...document.querySelectorAll('.permissions summary .quiet')].filter(
    (count) => count.getBoundingClientRect().bottom > count.closest('details').getBoundingClientRect().bottom),
].map(({ textContent }) => textContent)`;

const axe = await readFile(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

/** Checks a page in both themes and all widths. SCREENSHOTS names a folder for screenshots. */
export async function inspectPage(page: Page, name: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      expect([name, width, await page.evaluate<number>('document.documentElement.scrollWidth')]).toEqual([
        name,
        width,
        width,
      ]);
      expect([name, width, await page.evaluate<string[]>(MISPLACED)]).toEqual([name, width, []]);
      const folder = process.env.SCREENSHOTS;
      if (folder) await page.screenshot({ path: join(folder, `${name}-${width}-${colorScheme}.png`), fullPage: true });
    }
    await page.evaluate(axe);
    const found = await page.evaluate<{ violations: { id: string; nodes: { html: string }[] }[] }>('axe.run()');
    const violations = found.violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]);
    expect([name, colorScheme, violations]).toEqual([name, colorScheme, []]);
  }
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: 1440, height: 900 });
}
