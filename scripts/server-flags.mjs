/**
 * How Node runs the server. The young generation of the heap stays small: by default it grows with the load and holds
 * some 150 MB of garbage, and answers are too short-lived for that to pay.
 */
export const serverFlags = ['--disable-warning=ExperimentalWarning', '--max-semi-space-size=8'];
