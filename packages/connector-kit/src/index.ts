export { type FaultOptions, survivedFaults } from './checks/survived-faults.ts';
export { type CommittedScore, committedScore, scoredSystems } from './committed-scores.ts';
export type { ConformanceCheck, Finding, Outcome } from './conformance-check.ts';
export { mappingText, streamText } from './draft/draft-text.ts';
export { afterSignIn, everyCheck } from './every-check.ts';
export { type CheckResult, type ConformanceReport, runChecks } from './run-checks.ts';
export { type Score, type ScorePart, scoreOf } from './score.ts';
export { type CheckOptions, SystemUnderTest } from './system-under-test.ts';
