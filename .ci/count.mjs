// Reads a JSON report of vitest: prints how many tests passed and failed. Appends the failed ones, with why, to a file.
import { appendFileSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';

const [report, failures] = process.argv.slice(2);
const { testResults: files } = JSON.parse(readFileSync(report, 'utf8'));
const tests = files.flatMap((file) => file.assertionResults.map((test) => ({ ...test, file })));
const failed = tests.filter(({ status }) => status !== 'passed');
// A file whose tests could not even be collected has no test that says so.
const broken = files.filter((file) => file.status === 'failed' && file.assertionResults.length === 0);

const firstLines = (text) => text.split('\n').slice(0, 12).join('\n    ');
const told = ({ file, fullName, status, failureMessages }) =>
  `✗ ${relative('.', file.name)} > ${fullName} (${status})\n    ${firstLines(failureMessages.join('\n'))}\n`;
for (const test of failed) appendFileSync(failures, told(test));
for (const { name, message } of broken)
  appendFileSync(failures, `✗ ${relative('.', name)}\n    ${firstLines(message)}\n`);

console.log(tests.length - failed.length, failed.length + broken.length);
