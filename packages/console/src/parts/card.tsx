import type { ReactNode } from 'react';
import styles from './card.module.css';

interface CardProps {
  readonly title?: ReactNode;
  readonly actions?: ReactNode;
  /** Without padding, for tables. */
  readonly flush?: boolean;
  readonly children: ReactNode;
}

/** A group of content with an optional heading. */
export function Card({ title, actions, flush, children }: CardProps) {
  return (
    <section className={styles.card}>
      {title && (
        <div className={styles.head}>
          <h2>{title}</h2>
          {actions}
        </div>
      )}
      <div className={flush ? styles.flush : styles.body}>{children}</div>
    </section>
  );
}
