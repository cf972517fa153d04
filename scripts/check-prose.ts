import { findProblems } from './prose/find-problems.ts';
import { commandLine } from './support/read-command-line.ts';

const findings = await findProblems(commandLine({ allowPositionals: true }).positionals);
for (const { file, line, message } of findings) console.log(`${file}:${line}  ${message}`);
if (findings.length > 0) {
  console.log(`\n${findings.length} findings. docs/terminology.json has the terms, docs/words.txt further words.`);
  process.exitCode = 1;
}
