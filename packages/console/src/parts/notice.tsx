import { ServiceError } from '@unified/sdk';
import type { ReactNode } from 'react';
import { useTexts } from '../texts/use-texts.ts';
import { Button } from './button.tsx';
import styles from './notice.module.css';

interface NoticeProps {
  readonly tone?: 'bad' | 'warn' | 'good' | 'plain';
  readonly title?: string;
  readonly actions?: ReactNode;
  readonly children?: ReactNode;
}

/** A message within a page. Errors are announced to screen readers. */
export function Notice({ tone = 'plain', title, actions, children }: NoticeProps) {
  return (
    <div className={`${styles.notice} ${styles[tone]}`} role={tone === 'bad' ? 'alert' : undefined}>
      <div className={styles.text}>
        {title && <p className={styles.title}>{title}</p>}
        {children}
      </div>
      {actions && <div className={styles.actions}>{actions}</div>}
    </div>
  );
}

/** An error with the message of the service, its code, and a button that repeats what failed. */
export function ErrorNotice({ error, onRetry }: { readonly error: unknown; readonly onRetry?: () => void }) {
  const { errors, general } = useTexts();
  const code = error instanceof ServiceError ? error.code : undefined;
  const message = error instanceof Error ? error.message : String(error);
  return (
    <Notice
      tone="bad"
      title={code === 'CLIENT_UNREACHABLE' ? errors.unreachable : errors.title}
      actions={onRetry && <Button onClick={onRetry}>{general.retry}</Button>}
    >
      <p>{message}</p>
      {error instanceof ServiceError && (
        <p className={styles.facts}>
          <code>{code}</code>
          {error.requestId && ` · ${errors.request} ${error.requestId}`}
        </p>
      )}
    </Notice>
  );
}
