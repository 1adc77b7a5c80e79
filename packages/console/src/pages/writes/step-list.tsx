import type { WriteRecord } from '@unified/sdk';
import { useLanguage, useTexts } from '../../texts/use-texts.ts';
import styles from './step-list.module.css';
import { WriteBadge } from './write-badge.tsx';

type WriteStep = WriteRecord['steps'][number];

/** The steps of a write as a timeline, with the duration of each. */
export function StepList({ steps }: { readonly steps: readonly WriteStep[] }) {
  return (
    <ol className={styles.steps}>
      {steps.map((step) => (
        <Step key={step.n} step={step} />
      ))}
    </ol>
  );
}

function Step({ step }: { readonly step: WriteStep }) {
  const { writes } = useTexts();
  const { language } = useLanguage();
  const { kind, entity, vendorObject, vendorId, status, error, startedAt } = step;
  const kinds: Readonly<Record<string, string>> = writes.stepKinds;
  const duration = durationOf(step);
  const time = new Intl.DateTimeFormat(language, { timeStyle: 'medium' });
  return (
    <li className={styles.step} data-status={status}>
      <p className={styles.line}>
        <span>
          <strong>{kinds[kind] ?? kind}</strong> {entity}{' '}
          {vendorObject && (
            <code className="quiet">
              {vendorObject}
              {vendorId && ` ${vendorId}`}
            </code>
          )}
        </span>
        <span>{status !== 'planned' && <WriteBadge status={status} />}</span>
        <span className={styles.duration}>{duration !== undefined && `${duration} ms`}</span>
        <span className={styles.time}>{startedAt && time.format(new Date(startedAt))}</span>
      </p>
      {error && (
        <p className={styles.error}>
          {error.message} <code>{error.code}</code>
        </p>
      )}
    </li>
  );
}

/** Milliseconds that a step took; undefined while it runs. */
export function durationOf({ startedAt, endedAt }: Pick<WriteStep, 'startedAt' | 'endedAt'>): number | undefined {
  return startedAt && endedAt ? Date.parse(endedAt) - Date.parse(startedAt) : undefined;
}
