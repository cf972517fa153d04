import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { commandLine } from './support/read-command-line.ts';
import { projectDirectory } from './support/project-directory.ts';

const { positionals } = commandLine({ allowPositionals: true });

if (existsSync(join(projectDirectory, 'node_modules', 'cspell-lib'))) {
  const { findProblems } = await import('./prose/find-problems.ts');
  const findings = await findProblems(positionals);
  for (const { file, line, message } of findings) console.log(`${file}:${line}  ${message}`);
  if (findings.length > 0) {
    console.log(`\n${findings.length} findings. docs/terminology.json has the terms, docs/words.txt further words.`);
    process.exitCode = 1;
  }
} else console.log('The prose was not checked, because its tools are not installed. Run npm ci.');
