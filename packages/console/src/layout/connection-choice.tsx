import { useNavigate } from '@tanstack/react-router';
import { useCurrentConnection } from '../pages/connections/current-connection.ts';
import { Menu } from '../parts/menu.tsx';
import { useTexts } from '../texts/use-texts.ts';
import styles from './navigation.module.css';

/** The connection that the pages show, and a menu of the others. */
export function ConnectionChoice() {
  const { navigation } = useTexts();
  const { connection, connections, choose } = useCurrentConnection();
  const navigate = useNavigate();
  const entries = connections.map(({ id, name }) => ({
    label: name,
    checked: id === connection?.id,
    onSelect: () => {
      choose(id);
      navigate({ to: '/connections/$connectionId', params: { connectionId: id } });
    },
  }));
  const label = (
    <>
      <span className={styles.dot} data-health={connection?.health.status} />
      <span className={styles.chosen}>
        {connection?.name ?? navigation.choose}
        {connection && <small>{connection.platform}</small>}
      </span>
      <span aria-hidden="true">⌄</span>
    </>
  );
  const name = connection ? `${navigation.chooseAnother}: ${connection.name}` : navigation.choose;
  return <Menu label={label} name={name} groups={[entries]} className={styles.choice} />;
}
