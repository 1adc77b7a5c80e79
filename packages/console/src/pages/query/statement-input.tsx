import { useQueries } from '@tanstack/react-query';
import { type KeyboardEvent, useId, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { EntityFacts } from '../../contract/entity-facts.ts';
import { factsQuery } from '../../contract/load-facts.ts';
import { fieldClass, inputClass } from '../../parts/field.tsx';
import { useTexts } from '../../texts/use-texts.ts';
import { type CompletionOption, completionAt, neededFacts } from './completion.ts';
import styles from './query-page.module.css';

interface StatementInputProps {
  readonly value: string;
  readonly onChange: (statement: string) => void;
  readonly onRun: () => void;
}

/**
 * A statement with proposals of tables and fields: the arrow keys move through them, Enter or Tab takes one, Escape closes them.
 */
export function StatementInput({ value, onChange, onRun }: StatementInputProps) {
  const { query: texts } = useTexts();
  const id = useId();
  const input = useRef<HTMLTextAreaElement>(null);
  const [caret, setCaret] = useState<number>();
  const [active, setActive] = useState(-1);
  const facts = useFacts(value, caret ?? 0);
  const { from, options } = caret === undefined ? { from: 0, options: [] } : completionAt(value, caret, facts);
  const close = () => {
    setCaret(undefined);
    setActive(-1);
  };
  const take = ({ text }: CompletionOption) => {
    const end = from + text.length;
    // The caret can be set only when the text area has the new text, and later it would move away from what is typed next.
    flushSync(() => {
      onChange(value.slice(0, from) + text + value.slice(caret));
      close();
    });
    input.current?.focus();
    input.current?.setSelectionRange(end, end);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    const { key } = event;
    const chosen = options[active];
    if (key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      close();
      onRun();
    } else if (options.length > 0 && (key === 'ArrowDown' || key === 'ArrowUp')) {
      event.preventDefault();
      setActive((active + (key === 'ArrowDown' ? 1 : -1) + options.length) % options.length);
    } else if (chosen && (key === 'Enter' || key === 'Tab')) {
      event.preventDefault();
      take(chosen);
    } else if (key === 'Escape') close();
  };
  const isOpen = options.length > 0;
  return (
    <div className={fieldClass}>
      <label htmlFor={id}>{texts.statement}</label>
      <textarea
        ref={input}
        id={id}
        className={`${inputClass} ${styles.statement}`}
        rows={8}
        spellCheck={false}
        aria-autocomplete="list"
        aria-haspopup="listbox"
        aria-controls={`${id}-options`}
        aria-activedescendant={active >= 0 ? `${id}-${active}` : undefined}
        value={value}
        onChange={({ currentTarget }) => {
          onChange(currentTarget.value);
          setCaret(currentTarget.selectionStart);
          setActive(-1);
        }}
        onKeyDown={onKeyDown}
        onBlur={close}
      />
      <div id={`${id}-options`} role="listbox" aria-label={texts.proposals} className={styles.options} hidden={!isOpen}>
        {options.map((option, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys of the text area choose an option.
          // biome-ignore lint/a11y/useFocusableInteractive: the text area keeps the focus.
          <div
            key={option.text}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === active}
            className={styles.option}
            // Keeps the focus in the text area.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => take(option)}
          >
            <code>{option.text}</code> <span className="quiet">{option.detail}</span>
          </div>
        ))}
      </div>
    </div>
  );
}

/** The facts that the completion needs, as far as they are loaded. */
function useFacts(statement: string, caret: number): ReadonlyMap<string, EntityFacts> {
  const [known, setKnown] = useState<ReadonlyMap<string, EntityFacts>>(new Map());
  const loaded = useQueries({ queries: neededFacts(statement, caret, known).map((name) => factsQuery(name)) });
  const found = loaded.flatMap(({ data }) => data ?? []).filter(({ name }) => !known.has(name));
  if (found.length > 0) setKnown(new Map([...known, ...found.map((each): [string, EntityFacts] => [each.name, each])]));
  return known;
}
