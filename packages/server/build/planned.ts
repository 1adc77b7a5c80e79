import { operations } from '@unified/contract';
import type { Page } from './reference-page.ts';

const NOTE = '**Not available in this release:** returns 501 `SERVICE_NOT_IMPLEMENTED`.';

/** Marks every operation that is only planned. */
export function markPlanned({ paths }: Page): void {
  for (const { path, method } of operations.filter(({ kind }) => kind === 'planned')) {
    const described = paths[path]?.[method];
    if (described) described.description = [NOTE, described.description].filter(Boolean).join('\n\n');
  }
}
