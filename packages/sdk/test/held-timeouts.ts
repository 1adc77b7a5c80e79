import { onTestFinished, vi } from 'vitest';

/** Timeouts of the running test, which expire on a call of the test and not by the clock. */
export interface HeldTimeouts {
  /** Lets all timeouts pass that were set so far for at most so many milliseconds. */
  pass(milliseconds: number): void;
}

/** Holds every `AbortSignal.timeout` until the end of the test. */
export function holdTimeouts(): HeldTimeouts {
  const held = new Map<AbortController, number>();
  const spy = vi.spyOn(AbortSignal, 'timeout').mockImplementation((milliseconds) => {
    const controller = new AbortController();
    held.set(controller, milliseconds);
    return controller.signal;
  });
  onTestFinished(() => spy.mockRestore());
  return {
    pass(milliseconds) {
      for (const [controller, length] of held)
        if (length <= milliseconds) controller.abort(new DOMException('The time is over.', 'TimeoutError'));
    },
  };
}
