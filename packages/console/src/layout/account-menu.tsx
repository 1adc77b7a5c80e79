import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { serverUrl } from '../api/base-url.ts';
import type { OperatorRole } from '../api/console-schemas.ts';
import { Menu } from '../parts/menu.tsx';
import { chooseTheme, chosenTheme, themes } from '../preferences/theme.ts';
import { useSession } from '../session/session-context.ts';
import { signOut } from '../session/session-queries.ts';
import { languageCodes, languages } from '../texts/languages.ts';
import { useLanguage, useTexts } from '../texts/use-texts.ts';
import styles from './navigation.module.css';

/** Who is signed in, with sessions, theme, language and signing out. */
export function AccountMenu() {
  const { account, sessions, password, operators, navigation } = useTexts();
  const { language, choose } = useLanguage();
  const { operator } = useSession();
  const [theme, setTheme] = useState(chosenTheme);
  const queries = useQueryClient();
  const navigate = useNavigate();
  const leave = async () => {
    await signOut();
    queries.clear();
    navigate({ to: '/sign-in', search: {} });
  };
  const pages = [
    { label: sessions.title, onSelect: () => navigate({ to: '/sessions' }) },
    { label: password.title, onSelect: () => navigate({ to: '/password' }) },
    ...(operator.role === 'admin' ? [{ label: operators.title, onSelect: () => navigate({ to: '/operators' }) }] : []),
    { label: navigation.reference, onSelect: () => window.open(`${serverUrl}/docs`) },
  ];
  const ofThemes = themes.map((each) => ({
    label: account.themes[each],
    checked: each === theme,
    onSelect: () => {
      chooseTheme(each);
      setTheme(each);
    },
  }));
  const ofLanguages = languageCodes.map((code) => ({
    label: languages[code].name,
    checked: code === language,
    onSelect: () => choose(code),
  }));
  return (
    <Menu
      name={`${account.menu}: ${operator.name}`}
      className={styles.account}
      label={
        <span className={styles.chosen}>
          {operator.name}
          <small>{account.roles[operator.role as OperatorRole]}</small>
        </span>
      }
      groups={[pages, ofThemes, ofLanguages, [{ label: account.signOut, onSelect: leave }]]}
    />
  );
}
