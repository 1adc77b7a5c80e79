import { type ReactNode, useEffect, useRef } from 'react';
import styles from './page.module.css';

interface PageProps {
  readonly title: string;
  /** One sentence below the title. */
  readonly lead?: ReactNode;
  readonly actions?: ReactNode;
  /** Uses the whole width and height, for lists that scroll within the page. */
  readonly whole?: boolean;
  readonly children: ReactNode;
}

/** The frame of a page. Its heading gets the focus when the page opens, so that screen readers announce it. */
export function Page({ title, lead, actions, whole, children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = title;
    heading.current?.focus({ preventScroll: true });
  }, [title]);
  return (
    <div className={whole ? `${styles.page} ${styles.whole}` : styles.page}>
      <header className={styles.header}>
        <div className={styles.titles}>
          <h1 ref={heading} tabIndex={-1} className={styles.heading}>
            {title}
          </h1>
          {lead && <p className={styles.lead}>{lead}</p>}
        </div>
        {actions && <div className={styles.actions}>{actions}</div>}
      </header>
      {children}
    </div>
  );
}
