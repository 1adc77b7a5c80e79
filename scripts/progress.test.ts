import { expect, it, onTestFinished, vi } from 'vitest';
import { step, timed } from './progress.mjs';

function written(): string[] {
  const texts: string[] = [];
  const spy = vi.spyOn(process.stderr, 'write').mockImplementation((text) => texts.push(String(text)) > 0);
  onTestFinished(() => spy.mockRestore());
  return texts;
}

it('a step is named once, with the seconds that it took', async () => {
  const texts = written();
  expect(await timed('opening PostgreSQL', () => 'opened')).toBe('opened');
  expect(texts.join('')).toMatch(/^▸ opening PostgreSQL \d+\.\d s\n$/);
});

it('a step during which other steps are reported is named once', async () => {
  const texts = written();
  await timed('opening PostgreSQL', () => step('creating the cluster'));
  step('serving');
  expect(texts.join('')).toBe('▸ opening PostgreSQL \n▸ creating the cluster\n▸ serving\n');
});
