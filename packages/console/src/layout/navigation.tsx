import { useLocation } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useLiveChanges } from '../live/use-live-changes.ts';
import { useCurrentConnection } from '../pages/connections/current-connection.ts';
import { buttonClass } from '../parts/button.tsx';
import { useTexts } from '../texts/use-texts.ts';
import { AccountMenu } from './account-menu.tsx';
import { ApplicationChoice } from './application-choice.tsx';
import { ConnectionChoice } from './connection-choice.tsx';
import styles from './navigation.module.css';
import { NavigationLinks } from './navigation-links.tsx';

/** The bar beside the pages; on narrow screens above them, where a button opens it. */
export function Navigation() {
  const { navigation, general } = useTexts();
  const [isOpen, setOpen] = useState(false);
  const { pathname } = useLocation();
  const { connection } = useCurrentConnection();
  useLiveChanges(connection?.status === 'active' ? connection.id : undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: it closes when another page opens.
  useEffect(() => setOpen(false), [pathname]);
  return (
    <header className={styles.bar}>
      <div className={styles.top}>
        <span className={styles.brand}>
          <svg viewBox="0 0 32 32" width="24" height="24" aria-hidden="true">
            <rect width="32" height="32" rx="8" className={styles.mark} />
            <path d="M9 9v8a7 7 0 0 0 14 0V9" className={styles.letter} />
          </svg>
          {general.product}
        </span>
        <button
          type="button"
          className={`${buttonClass()} ${styles.toggle}`}
          aria-expanded={isOpen}
          aria-controls="navigation"
          onClick={() => setOpen(!isOpen)}
        >
          {navigation.open}
        </button>
      </div>
      <div id="navigation" className={isOpen ? `${styles.body} ${styles.open}` : styles.body}>
        <ApplicationChoice />
        <ConnectionChoice />
        <nav aria-label={navigation.label} className={styles.links}>
          <NavigationLinks />
        </nav>
        <AccountMenu />
      </div>
    </header>
  );
}
