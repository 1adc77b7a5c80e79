import { useId } from 'react';
import type { Shape } from '../../api/document-schemas.ts';
import type { ReadField } from '../../contract/entity-facts.ts';
import { inputClass } from '../../parts/field.tsx';
import { useTexts } from '../../texts/use-texts.ts';
import type { WordTexts } from './mapping-edit.ts';
import styles from './studio.module.css';

interface WordRowsProps {
  readonly fields: readonly ReadField[];
  readonly texts: WordTexts;
  /** The texts of the active revision: other texts are marked. */
  readonly active: WordTexts;
  readonly problems: Readonly<Record<string, string>>;
  readonly proposals: readonly Shape<'FieldProposal'>[];
  readonly onChange: (field: string, text: string) => void;
  /** Called with the field that gets the focus. */
  readonly onFocus: (field: string) => void;
}

/** The words on the left and our fields on the right, a row for each. */
export function WordRows({ fields, texts, active, problems, proposals, onChange, onFocus }: WordRowsProps) {
  return (
    <ul className={styles.rows}>
      {fields.map((field) => (
        <WordRow
          key={field.name}
          field={field}
          text={texts[field.name] ?? ''}
          isChanged={(texts[field.name] ?? '') !== (active[field.name] ?? '')}
          problem={problems[field.name]}
          proposal={proposals.find((each) => each.field === field.name)}
          onChange={(text) => onChange(field.name, text)}
          onFocus={() => onFocus(field.name)}
        />
      ))}
    </ul>
  );
}

interface WordRowProps {
  readonly field: ReadField;
  readonly text: string;
  readonly isChanged: boolean;
  readonly problem: string | undefined;
  readonly proposal: Shape<'FieldProposal'> | undefined;
  readonly onChange: (text: string) => void;
  readonly onFocus: () => void;
}

function WordRow({ field, text, isChanged, problem, proposal, onChange, onFocus }: WordRowProps) {
  const { studio } = useTexts();
  const id = useId();
  const { name, kind, description } = field;
  return (
    <li className={styles.row} data-changed={isChanged}>
      <div className={styles.word}>
        <input
          id={id}
          className={`${inputClass} ${styles.input}`}
          value={text}
          spellCheck={false}
          autoComplete="off"
          placeholder={studio.noWord}
          aria-invalid={problem !== undefined}
          aria-describedby={problem || proposal ? `${id}-note` : undefined}
          onChange={({ currentTarget }) => onChange(currentTarget.value)}
          onFocus={onFocus}
        />
        {(problem || proposal) && (
          <p id={`${id}-note`} className={problem ? styles.problem : styles.reason}>
            {problem ?? (proposal && studio.proposed(proposal.reason, Math.round(proposal.confidence * 100)))}
          </p>
        )}
      </div>
      <label htmlFor={id} className={styles.field} title={description}>
        <code>{name}</code>
        <span className="quiet">{kind}</span>
      </label>
    </li>
  );
}
