import { onTestFinished, vi } from 'vitest';

/** Timeouts of the running test, which expire on request and not by the clock. */
export interface HeldTimeouts {
  /** Expires all timeouts so far of at most this number of milliseconds. */
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
        if (length <= milliseconds) controller.abort(new DOMException('The time is up.', 'TimeoutError'));
    },
  };
}
