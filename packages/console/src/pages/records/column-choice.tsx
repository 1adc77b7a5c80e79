import { useState } from 'react';
import type { ReadField } from '../../contract/entity-facts.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog, DialogActions } from '../../parts/dialog.tsx';
import { useTexts } from '../../texts/use-texts.ts';
import styles from './column-choice.module.css';
import { possibleColumns } from './default-columns.ts';

interface ColumnChoiceProps {
  readonly fields: readonly ReadField[];
  readonly chosen: readonly string[];
  readonly onChange: (names: string[]) => void;
}

/** Chooses the columns of a list; the browser keeps the choice per entity. */
export function ColumnChoice({ fields, chosen, onChange }: ColumnChoiceProps) {
  const { records, general } = useTexts();
  const [isOpen, setOpen] = useState(false);
  const toggle = (name: string) =>
    onChange(chosen.includes(name) ? chosen.filter((each) => each !== name) : [...chosen, name]);
  return (
    <>
      <Button onClick={() => setOpen(true)}>{records.columns}</Button>
      {isOpen && (
        <Dialog title={records.columns} onClose={() => setOpen(false)}>
          <fieldset>
            <legend className="unseen">{records.columns}</legend>
            {possibleColumns(fields).map(({ name, description }) => (
              <label key={name} className={styles.column}>
                <input
                  type="checkbox"
                  checked={chosen.includes(name)}
                  disabled={chosen.length === 1 && chosen.includes(name)}
                  onChange={() => toggle(name)}
                />
                <span>
                  <code>{name}</code> <span className="quiet">{description}</span>
                </span>
              </label>
            ))}
          </fieldset>
          <DialogActions>
            <Button look="main" onClick={() => setOpen(false)}>
              {general.close}
            </Button>
          </DialogActions>
        </Dialog>
      )}
    </>
  );
}
