import { expect, test } from 'vitest';
import { isWebAddress } from './validator.ts';

test.each([
  'https://files.example/nameplate.png',
  'HTTP://files.example',
  'https://files.example:8443/a?b=c@d#e',
  'https://files.example/Übersicht.pdf',
  'http://[::1]:8080/x',
])('%s is a web address', (text) => {
  expect(isWebAddress(text)).toBe(true);
});

test.each([
  ['another scheme', 'javascript://x/%0aalert(1)'],
  ['no host', 'https://'],
  ['no host before the path', 'https:///etc/passwd'],
  ['no host before the query', 'http://?x=1'],
  ['a user', 'https://user@files.example/x'],
  ['a user and a password', 'https://user:secret@files.example/x'],
  ['an empty user', 'https://@files.example/x'],
  ['a port that does not exist', 'https://files.example:99999/x'],
  ['a host with a space', 'https://exa mple/x'],
  ['a path with a space', 'https://files.example/a b'],
  ['a line break', 'https://files.example/a\nb'],
  ['a backslash', 'https:\\\\files.example\\x'],
])('refused: %s', (_, text) => {
  expect(isWebAddress(text)).toBe(false);
});
