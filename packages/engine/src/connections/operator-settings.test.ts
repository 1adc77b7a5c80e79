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

test('only the operator can connect a folder', () => {
  expect(operatorSettingProblems({ folder: 'acme' })).toMatchObject([
    { setting: 'folder', remedy: 'Only the operator can connect a folder, with `npm run connect`.' },
  ]);
});

test.each([
  [
    'postgres://u:p@db.example/erp?host=127.0.0.1',
    'Only the operator can use parameters other than sslmode. Leave them out.',
  ],
  ['mysql://u:p@db.example/erp?socketPath=/tmp/db.sock', 'Remove the parameters other than ssl-mode.'],
  ['mariadb://u@db.example/erp', 'Add the user name and the password.'],
])('the address of a database is refused before it is called: %s', (url, remedy) => {
  expect(operatorSettingProblems({ url })).toMatchObject([{ setting: 'url', remedy }]);
});

test.each([
  'https://erp.example',
  'mysql://u:p@db.example/erp?ssl-mode=REQUIRED',
  'postgres://u:p@db.example/erp?sslmode=require',
])('anyone can connect %s', (url) => {
  expect(operatorSettingProblems({ url })).toEqual([]);
});
