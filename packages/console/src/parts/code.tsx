import styles from './code.module.css';
import { CopyButton } from './copy-button.tsx';

/** A text in a fixed-width font with a button that copies it. Keyboards can scroll it. */
export function Code({ text, label }: { readonly text: string; readonly label: string }) {
  return (
    <figure className={styles.code}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region needs the focus for the arrow keys. */}
      <section tabIndex={0} aria-label={label} className={styles.text}>
        <pre>{text}</pre>
      </section>
      <div className={styles.copy}>
        <CopyButton text={text} />
      </div>
    </figure>
  );
}
