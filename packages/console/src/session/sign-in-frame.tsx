import { type ReactNode, useEffect } from 'react';
import { useTexts } from '../texts/use-texts.ts';
import styles from './sign-in-frame.module.css';

interface SignInFrameProps {
  readonly title: string;
  readonly lead: string;
  readonly children: ReactNode;
}

/** The frame of the pages without a session. */
export function SignInFrame({ title, lead, children }: SignInFrameProps) {
  const { general } = useTexts();
  useEffect(() => {
    document.title = title;
  }, [title]);
  return (
    <main className={styles.frame}>
      <div className={styles.card}>
        <p className={styles.brand}>
          <svg viewBox="0 0 32 32" width="28" height="28" aria-hidden="true">
            <rect width="32" height="32" rx="8" className={styles.mark} />
            <path d="M9 9v8a7 7 0 0 0 14 0V9" className={styles.letter} />
          </svg>
          {general.product}
        </p>
        <h1>{title}</h1>
        <p className={styles.lead}>{lead}</p>
        {children}
      </div>
    </main>
  );
}

export const formClass = styles.form;
export const narrowClass = styles.narrow;
