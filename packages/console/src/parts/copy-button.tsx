import { useEffect, useState } from 'react';
import { useTexts } from '../texts/use-texts.ts';
import { Button } from './button.tsx';

const SHOWN_MS = 2000;

/** Copies a text to the clipboard and confirms it. */
export function CopyButton({ text, label }: { readonly text: string; readonly label?: string }) {
  const { general } = useTexts();
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
  };
  return (
    <Button small onClick={copy}>
      <span aria-live="polite">{copied ? general.copied : (label ?? general.copy)}</span>
    </Button>
  );
}
