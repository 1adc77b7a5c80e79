import { expect, test } from 'vitest';
import { jobDatabase } from './job-database.ts';

const optionsOf = (url: string) => new URL(jobDatabase(url)).searchParams.get('options');

test('commits of a runner do not wait for the disk, and other options of the address are kept', () => {
  expect(optionsOf('postgres://user:secret@db.example:5432/unified?sslmode=require')).toBe('-c synchronous_commit=off');
  expect(jobDatabase('postgres://user:secret@db.example:5432/unified?sslmode=require')).toContain('sslmode=require');
  expect(optionsOf('postgres://db.example/unified?options=-c%20search_path%3Derp')).toBe(
    '-c search_path=erp -c synchronous_commit=off',
  );
});

test('an address of another form is left as it is', () => {
  expect(jobDatabase('/var/run/postgresql unified')).toBe('/var/run/postgresql unified');
});
