// Part of `npm run test:docs`: runs the code of all guides, or of those whose names are arguments, against a fresh service.
// What needs AWS is checked against the models of its API. It needs Python and package registries.
import { execFileSync, spawnSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { findPython } from '../../scripts/emulators/python.ts';
import { projectDirectory } from '../../scripts/support/project-directory.ts';
import { startService } from '../../scripts/support/start-service.ts';
import { isRun, readGuides } from './guide-blocks.ts';

/** Clients of other services that the guides use, and the models of the API of AWS. */
const packages = ['botocore', 'chromadb==1.5.9', 'openai==3.57.0', 'qdrant-client==1.20.0'];
const fileCount = 40;

await using opened = new AsyncDisposableStack();
const folder = await mkdtemp(join(tmpdir(), 'strata-guides-'));
opened.defer(() => rm(folder, { recursive: true, force: true }));
const starting = startService({ dataDirectory: join(folder, 'data') });
opened.defer(starting.stop);

const run = (cwd: string, program: string, args: readonly string[]): void => {
  execFileSync(program, args, { cwd, stdio: ['ignore', 'inherit', 'inherit'] });
};

run(folder, findPython(undefined), ['-m', 'venv', 'venv']);
const python = join(folder, 'venv', 'bin', 'python');
const client = join(projectDirectory, 'packages', 'python');
run(folder, python, ['-m', 'pip', 'install', '--quiet', client, ...packages]);
const archive = execFileSync('npm', ['pack', '--silent', '--pack-destination', folder], {
  cwd: join(projectDirectory, 'packages', 'typescript'),
  encoding: 'utf8',
}).trim();
await writeFile(join(folder, 'package.json'), '{"private":true,"type":"module"}');
run(folder, 'npm', ['install', '--silent', '--no-audit', '--no-fund', join(folder, archive)]);

/** Writes a program that readers have and that does less here. */
const writeProgram = async (directory: string, name: string, lines: readonly string[]): Promise<void> => {
  await mkdir(directory, { recursive: true });
  await writeFile(join(directory, name), ['#!/usr/bin/env bash', ...lines, ''].join('\n'));
  await chmod(join(directory, name), 0o755);
};
const [own, aws] = [join(folder, 'own'), join(folder, 'aws')];
await writeProgram(own, 'npm', [`cd "${projectDirectory}" && exec "${process.execPath}" scripts/"$2".ts "\${@:4}"`]);
await writeProgram(aws, 'npm', [`"${join(own, 'npm')}" "$@" --approval never --dry-run`]);
await writeProgram(aws, 'npx', [`"${join(projectDirectory, 'node_modules', '.bin', 'cdk')}" "$2" --help > /dev/null`]);
await writeProgram(aws, 'aws', [`exec "${python}" "${join(import.meta.dirname, 'check-aws-command.py')}" "$@"`]);

const service = await starting.ready;
const path = [
  own,
  join(folder, 'node_modules', '.bin'),
  dirname(python),
  dirname(process.execPath),
  process.env['PATH'],
];
const env = {
  ...process.env,
  PATH: path.join(delimiter),
  AWS_PATH: [aws, ...path].join(delimiter),
  STRATA_URL: service.base_url,
  STRATA_API_KEY: service.api_key,
  OPENAI_BASE_URL: `${service.base_url}/v1/openai`,
  OPENAI_API_KEY: service.api_key,
};

const wanted = process.argv.slice(2);
const guides = readGuides().filter(({ name }) => wanted.length === 0 || wanted.includes(name));
for (const { name, blocks } of guides) {
  const directory = join(folder, 'guides', name);
  await mkdir(join(directory, 'papers'), { recursive: true });
  await symlink(join(folder, 'node_modules'), join(directory, 'node_modules'));
  await writeFile(join(directory, 'package.json'), '{"type":"module"}');
  await writeFile(join(directory, 'letter.txt'), 'A letter about the harvest of tea.\n');
  for (let at = 1; at <= fileCount; at += 1)
    await writeFile(join(directory, 'papers', `${at}.txt`), `Paper ${at} is about tea.\n`);
  const options = { cwd: directory, env: { ...env, HOME: directory } };
  if (name === 'move-from-others') execFileSync(python, [join(import.meta.dirname, 'other-stores.py')], options);
  const input = JSON.stringify(blocks);
  const ended = spawnSync(python, [join(import.meta.dirname, 'run-page.py')], { ...options, input, encoding: 'utf8' });
  if (ended.status !== 0) throw new Error(`docs/guides/${name}.md:\n${ended.stdout}\n${ended.stderr}`);
  console.log(`docs/guides/${name}.md: ${blocks.length} blocks`);
}
const all = guides.flatMap(({ blocks }) => blocks);
const marked = (mark: string): number => all.filter((block) => block.mark === mark).length;
console.log(
  `${all.filter(isRun).length} blocks ran, ${marked('aws')} were checked against the models of the API of AWS, and`,
);
console.log(`${marked('account')} was compiled, because it needs an account. ${guides.length} passed, 0 failed`);
