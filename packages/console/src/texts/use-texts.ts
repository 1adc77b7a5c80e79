import { createContext, useContext } from 'react';
import { english, type Texts } from './en/english.ts';
import type { LanguageCode } from './languages.ts';

interface ChosenLanguage {
  readonly language: LanguageCode;
  readonly texts: Texts;
  readonly choose: (language: LanguageCode) => void;
}

export const LanguageContext = createContext<ChosenLanguage>({
  language: 'en',
  texts: english,
  choose: () => undefined,
});

/** The texts in the language of the person. */
export function useTexts(): Texts {
  return useContext(LanguageContext).texts;
}

/** The language of the person, and how to choose another one. */
export function useLanguage(): ChosenLanguage {
  return useContext(LanguageContext);
}
