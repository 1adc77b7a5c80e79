import type { Page } from 'playwright-core';

/** Errors of scripts, of the policy and of the console, and addresses on other servers, as a page reports them. */
export function watchPage(
  page: Page,
  isOwn: (url: string) => boolean,
  isExpected: (message: string) => boolean,
): string[] {
  const faults: string[] = [];
  page.on('request', (request) => {
    if (!isOwn(request.url())) faults.push(request.url());
  });
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (message) => {
    if (message.type() !== 'error') return;
    const fault = `${message.text()} ${message.location().url}`;
    if (!isExpected(fault)) faults.push(fault);
  });
  return faults;
}
