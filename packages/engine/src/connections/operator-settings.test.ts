import { expect, test } from 'vitest';
import { operatorSettingProblems } from './operator-settings.ts';

test.each(['sqlite:///books/a.sqlite', 'file:///books/a.sqlite', ' SQLite:///books/a.sqlite'])(
  'only the operator can connect a file: %s',
  (url) => {
    expect(operatorSettingProblems({ url })).toMatchObject([
      { setting: 'url', problem: 'is for operators', remedy: 'Only the operator can connect a file.' },
    ]);
  },
);

test.each(['https://erp.example', 'mysql://u:p@db.example/erp', 'postgres://u:p@db.example/erp?sslmode=require'])(
  'anyone can connect %s',
  (url) => {
    expect(operatorSettingProblems({ url })).toEqual([]);
  },
);
