import { useTexts } from '../texts/use-texts.ts';
import styles from './loading.module.css';

/** Lines in the place of content that is being loaded. */
export function Loading({ lines = 4 }: { readonly lines?: number }) {
  const { general } = useTexts();
  const rows = Array.from({ length: lines }, (_, index) => `line ${index}`);
  return (
    <div className={styles.loading} role="status">
      <span className="unseen">{general.loading}</span>
      {rows.map((row) => (
        <div key={row} className={styles.line} />
      ))}
    </div>
  );
}
