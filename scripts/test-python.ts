// `npm run test:python`: builds the Python packages, checks their types and runs their tests and pages against a fresh service.
import { execFileSync } from 'node:child_process';
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findPython } from './emulators/python.ts';
import { projectDirectory } from './support/project-directory.ts';
import { startService } from './support/start-service.ts';

const tools = ['build==1.6.1', 'mypy==2.4.1', 'pyright==1.1.414', 'pytest==9.2.0', 'twine==7.0.0'];
/** Official clients of other services, which test/python connects to this one. */
const clients = ['openai==3.57.0'];
/** The client, then the packages that depend on it. Each has a page of the same name in docs/integrations. */
const packages = ['python', 'langchain', 'haystack', 'llama-index'];

await using opened = new AsyncDisposableStack();
const folder = await mkdtemp(join(tmpdir(), 'strata-python-'));
opened.defer(() => rm(folder, { recursive: true, force: true }));

const run = (cwd: string, program: string, args: readonly string[], env: NodeJS.ProcessEnv = process.env): void => {
  console.log(`${program.replace(`${folder}/`, '')} ${args.join(' ')}`);
  execFileSync(program, args, { cwd, env, stdio: 'inherit' });
};

run(folder, findPython(undefined), ['-m', 'venv', join(folder, 'venv')]);
const python = join(folder, 'venv', 'bin', 'python');
run(folder, python, ['-m', 'pip', 'install', '--quiet', ...tools]);

const starting = startService({ dataDirectory: join(folder, 'data'), flags: ['--allow-local-webhooks'] });
opened.defer(starting.stop);
const service = await starting.ready;
const env = {
  ...process.env,
  STRATA_URL: service.base_url,
  STRATA_API_KEY: service.api_key,
  STRATA_SESSION_TOKEN: service.session_token,
};

for (const name of packages) {
  console.log(`packages/${name}`);
  const source = join(folder, name);
  await cp(join(projectDirectory, 'packages', name), source, { recursive: true });
  run(source, python, ['-m', 'build', '--outdir', 'dist']);
  run(source, python, [
    '-m',
    'twine',
    'check',
    '--strict',
    ...(await readdir(join(source, 'dist'))).map((file) => join('dist', file)),
  ]);
  const wheel = (await readdir(join(source, 'dist'))).find((file) => file.endsWith('.whl')) ?? '';
  run(source, python, ['-m', 'pip', 'install', '--quiet', `${join('dist', wheel)}[test]`]);
  run(source, python, ['-m', 'pyright', '--pythonpath', python]);
  run(source, python, ['-m', 'mypy', '--python-executable', python]);
  run(source, python, ['-m', 'pytest', '-q', '-p', 'no:cacheprovider', 'tests'], env);

  // The blocks of a page are one program, as a reader would run them one after another.
  for (const page of [join('packages', name, 'README.md'), join('docs', 'integrations', `${name}.md`)]) {
    const text = await readFile(join(projectDirectory, page), 'utf8');
    const blocks = [...text.matchAll(/^```python\n([^]*?)^```/gm)].map(([, block = '']) => block);
    await writeFile(join(source, 'page.py'), blocks.join('\n'));
    console.log(page);
    run(projectDirectory, python, [join(source, 'page.py')], env);
  }
}

const tests = join(projectDirectory, 'test', 'python');
run(folder, python, ['-m', 'pip', 'install', '--quiet', ...clients]);
run(folder, python, ['-m', 'pytest', '-q', '-p', 'no:cacheprovider', tests], { ...env, PYTHONDONTWRITEBYTECODE: '1' });
