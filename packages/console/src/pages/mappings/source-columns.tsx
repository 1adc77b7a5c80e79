import type { Shape } from '../../api/document-schemas.ts';
import { useTexts } from '../../texts/use-texts.ts';
import styles from './studio.module.css';

const SHOWN_SAMPLES = 3;

interface SourceColumnsProps {
  readonly table: Shape<'SourceTable'>;
  /** Words that are in use, to mark the columns that they read. */
  readonly words: readonly string[];
  readonly onChoose: (column: string) => void;
}

/** The columns of a table in the connected system with samples. Pressing one enters its name for the field that was edited last. */
export function SourceColumns({ table, words, onChoose }: SourceColumnsProps) {
  const { studio } = useTexts();
  const isRead = (name: string) => words.some((word) => word.split(/[^\p{L}\p{N}_.]+/u).includes(name));
  return (
    <section className={styles.columns} aria-label={studio.columns}>
      <h2>{table.label ?? table.name}</h2>
      <p className="quiet">{studio.columnsHint}</p>
      <ul>
        {table.columns.map(({ name, type, label, samples }) => (
          <li key={name}>
            <button type="button" className={styles.column} onClick={() => onChoose(name)}>
              <span className={styles.columnHead}>
                <code>{name}</code>
                {isRead(name) && <span className={styles.read}>{studio.inUse}</span>}
              </span>
              <span className="quiet">{[label, type].filter(Boolean).join(' · ')}</span>
              {samples.length > 0 && (
                <span className={styles.samples}>{samples.slice(0, SHOWN_SAMPLES).join(' · ')}</span>
              )}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
