import { useState } from 'react';
import type { ReadField } from '../../contract/entity-facts.ts';
import { filterKey, type ListCondition, type ListView } from '../../lists/conditions-of-search.ts';
import { Button } from '../../parts/button.tsx';
import { useTexts } from '../../texts/use-texts.ts';
import styles from './filter-bar.module.css';
import { FilterForm } from './filter-form.tsx';

interface FilterBarProps {
  readonly fields: readonly ReadField[];
  readonly view: ListView;
  readonly onChange: (view: ListView) => void;
}

/** The conditions of a list as chips that read like the API's, and a form for another one. */
export function FilterBar({ fields, view, onChange }: FilterBarProps) {
  const { records } = useTexts();
  const [isAdding, setAdding] = useState(false);
  const { conditions } = view;
  const remove = (condition: ListCondition) =>
    onChange({ ...view, conditions: conditions.filter((each) => each !== condition) });
  const add = (condition: ListCondition) => {
    const others = conditions.filter(
      ({ field, operator }) => field !== condition.field || operator !== condition.operator,
    );
    setAdding(false);
    onChange({ ...view, conditions: [...others, condition] });
  };
  return (
    <div className={styles.bar}>
      <ul className={styles.chips} aria-label={records.filters}>
        {conditions.map((condition) => {
          const key = filterKey(condition.field, condition.operator);
          return (
            <li key={key} className={styles.chip}>
              <code>
                {key}={condition.value}
              </code>
              <button
                type="button"
                className={styles.remove}
                aria-label={`${records.removeFilter}: ${key}=${condition.value}`}
                onClick={() => remove(condition)}
              >
                ✕
              </button>
            </li>
          );
        })}
        <li>
          <Button small aria-expanded={isAdding} onClick={() => setAdding(!isAdding)}>
            + {records.addFilter}
          </Button>
        </li>
      </ul>
      {isAdding && <FilterForm fields={fields} onAdd={add} onClose={() => setAdding(false)} />}
    </div>
  );
}
