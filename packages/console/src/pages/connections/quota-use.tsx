import type { Shape } from '../../api/document-schemas.ts';
import { Time } from '../../parts/time.tsx';
import { useTexts } from '../../texts/use-texts.ts';
import styles from './quota-use.module.css';

/** How many calls the connected system allows, and how many are in progress. */
export function QuotaUse({ quota }: { readonly quota: Shape<'CallQuota'> }) {
  const { connections } = useTexts();
  return (
    <p className={styles.quota}>
      {connections.quota}: {connections.quotaUse(quota.callsInProgress, quota.callsAtOnce)}
      {quota.pausedUntil && (
        <>
          {' '}
          · {connections.pausedUntil} <Time at={quota.pausedUntil} />
        </>
      )}
    </p>
  );
}
