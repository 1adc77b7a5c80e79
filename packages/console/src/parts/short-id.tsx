import styles from './short-id.module.css';

const IDENTIFIER = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const LAST = 8;

/** An identifier by its last characters, with all of it as a tooltip. Other texts are shown in full, on one line if possible. */
export function ShortId({ id }: { readonly id: string | null | undefined }) {
  if (!id) return <span className="quiet">–</span>;
  if (!IDENTIFIER.test(id)) return <code>{id}</code>;
  return (
    <code title={id} className={styles.short}>
      …{id.slice(-LAST)}
    </code>
  );
}
