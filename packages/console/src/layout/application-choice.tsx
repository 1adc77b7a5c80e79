import { Menu } from '../parts/menu.tsx';
import { useSession } from '../session/session-context.ts';
import { useTexts } from '../texts/use-texts.ts';
import styles from './navigation.module.css';

/** The application whose connections the pages show, and a menu of the others; nothing if there is only one. */
export function ApplicationChoice() {
  const { navigation } = useTexts();
  const { applications, applicationId, chooseApplication } = useSession();
  if (applications.length < 2) return null;
  const chosen = applications.find(({ id }) => id === applicationId)?.name ?? '';
  const entries = applications.map(({ id, name }) => ({
    label: name,
    checked: id === applicationId,
    onSelect: () => chooseApplication(id),
  }));
  const label = (
    <>
      <span className={styles.chosen}>
        <small>{navigation.application}</small>
        {chosen}
      </span>
      <span aria-hidden="true">⌄</span>
    </>
  );
  return (
    <Menu
      label={label}
      name={`${navigation.application}: ${chosen}`}
      groups={[entries]}
      className={styles.application}
    />
  );
}
