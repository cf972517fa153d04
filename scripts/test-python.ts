// `npm run test:python`: builds the Python client, checks its types and runs its tests and its README against a fresh service.
import { execFileSync } from 'node:child_process';
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findPython } from './emulators/python.ts';
import { projectDirectory } from './support/project-directory.ts';
import { startService } from './support/start-service.ts';

const tools = ['build==1.6.1', 'pyright==1.1.414', 'pytest==9.2.0'];

await using opened = new AsyncDisposableStack();
const folder = await mkdtemp(join(tmpdir(), 'strata-python-'));
opened.defer(() => rm(folder, { recursive: true, force: true }));
const source = join(folder, 'python');
await cp(join(projectDirectory, 'packages', 'python'), source, { recursive: true });

const run = (program: string, args: readonly string[], env: NodeJS.ProcessEnv = process.env): void => {
  console.log(`${program.replace(`${folder}/`, '')} ${args.join(' ')}`);
  execFileSync(program, args, { cwd: source, env, stdio: 'inherit' });
};

run(findPython(undefined), ['-m', 'venv', join(folder, 'venv')]);
const python = join(folder, 'venv', 'bin', 'python');
run(python, ['-m', 'pip', 'install', '--quiet', ...tools]);
run(python, ['-m', 'build', '--outdir', 'dist']);
const wheel = (await readdir(join(source, 'dist'))).find((name) => name.endsWith('.whl')) ?? '';
run(python, ['-m', 'pip', 'install', '--quiet', join('dist', wheel)]);
run(python, ['-m', 'pyright', '--pythonpath', python]);

const starting = startService({ dataDirectory: join(folder, 'data') });
opened.defer(starting.stop);
const service = await starting.ready;
const env = { ...process.env, STRATA_URL: service.base_url, STRATA_API_KEY: service.api_key };
run(python, ['-m', 'pytest', '-q', '-p', 'no:cacheprovider'], env);

// The blocks of a page are one program, as a reader would run them one after another.
for (const page of [join('packages', 'python', 'README.md'), join('docs', 'integrations', 'python.md')]) {
  const text = await readFile(join(projectDirectory, page), 'utf8');
  const blocks = [...text.matchAll(/^```python\n([^]*?)^```/gm)].map(([, block = '']) => block);
  await writeFile(join(source, 'page.py'), blocks.join('\n'));
  console.log(page);
  run(python, ['page.py'], env);
}
