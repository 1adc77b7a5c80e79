/** A proxy on this machine that forwards to a system, and injects faults. */
export interface FaultProxy {
  /** The address of the system, with the host and the port of the proxy. */
  readonly url: string;
  /** Closes it with its connections. */
  close(): Promise<void>;
}

/** Duration of the fault `latency` in milliseconds. */
export const LATENCY_MS = 50;

/** Seconds that the fault `throttled` requests in `Retry-After`. */
export const RETRY_AFTER_SECONDS = 1;
