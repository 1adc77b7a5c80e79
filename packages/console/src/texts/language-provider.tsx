import { type ReactNode, useEffect, useMemo, useState } from 'react';
import { readChoice, storeChoice } from '../preferences/stored-choices.ts';
import { type LanguageCode, languages, preferredLanguage } from './languages.ts';
import { LanguageContext } from './use-texts.ts';

/** Provides the texts in the chosen language, or in that of the browser. */
export function LanguageProvider({ children }: { readonly children: ReactNode }) {
  const [language, setLanguage] = useState<LanguageCode>(() => {
    const chosen = readChoice<LanguageCode>('language');
    return chosen !== undefined && chosen in languages ? chosen : preferredLanguage(navigator.languages);
  });
  useEffect(() => {
    document.documentElement.lang = language;
  }, [language]);
  const value = useMemo(() => {
    const choose = (code: LanguageCode) => {
      storeChoice('language', code);
      setLanguage(code);
    };
    return { language, texts: languages[language].texts, choose };
  }, [language]);
  return <LanguageContext value={value}>{children}</LanguageContext>;
}
