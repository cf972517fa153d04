// `npm run test:javascript`: packs the TypeScript client and the packages for frameworks, installs them with the frameworks,
// and runs their tests and pages against a fresh service. Names of packages as arguments select some.
import { execFileSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import * as z from 'zod';
import { projectDirectory } from './support/project-directory.ts';
import { startService } from './support/start-service.ts';

/** Each has a page of the same name in docs/integrations. */
const frameworkPackages = ['langchain-js', 'ai-sdk', 'mastra'];
const names = process.argv.length > 2 ? process.argv.slice(2) : frameworkPackages;

const Manifest = z.object({ name: z.string(), devDependencies: z.record(z.string(), z.string()) });
const Root = z.object({ devDependencies: z.object({ typescript: z.string(), '@types/node': z.string() }) });

await using opened = new AsyncDisposableStack();
const folder = await mkdtemp(join(tmpdir(), 'strata-javascript-'));
opened.defer(() => rm(folder, { recursive: true, force: true }));
const starting = startService({ dataDirectory: join(folder, 'data') });
opened.defer(starting.stop);

// Node.js 24 runs the TypeScript of the tests.
const path = [dirname(process.execPath), process.env['PATH']].join(delimiter);

const run = (cwd: string, program: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): void => {
  console.log(`${program} ${args.join(' ')}`);
  execFileSync(program, args, { cwd, env: { ...process.env, PATH: path, ...env }, stdio: 'inherit' });
};

/** Packs a package and returns the path of its archive. */
const pack = (source: string): string => {
  const args = ['pack', '--silent', '--pack-destination', folder];
  const output = execFileSync('npm', args, { cwd: source, env: { ...process.env, PATH: path }, encoding: 'utf8' });
  return join(folder, output.trim().split('\n').at(-1) ?? '');
};

const readManifest = async (name: string) =>
  Manifest.parse(JSON.parse(await readFile(join(projectDirectory, 'packages', name, 'package.json'), 'utf8')));

const install = ['install', '--silent', '--ignore-scripts', '--no-audit', '--no-fund'];
const { devDependencies: tools } = Root.parse(
  JSON.parse(await readFile(join(projectDirectory, 'package.json'), 'utf8')),
);
const compiler = [`typescript@${tools.typescript}`, `@types/node@${tools['@types/node']}`];
const client = pack(join(projectDirectory, 'packages', 'typescript'));
const strict = '--noEmit --strict --skipLibCheck --module nodenext --target es2023 --types node'.split(' ');

for (const name of names) {
  console.log(`packages/${name}`);
  const { devDependencies } = await readManifest(name);
  const frameworks = Object.entries(devDependencies).map(([dependency, version]) => `${dependency}@${version}`);
  const directory = join(folder, name);
  await mkdir(directory);
  await writeFile(join(directory, 'package.json'), '{"private":true,"type":"module"}');
  run(directory, 'npm', [...install, client, ...compiler, ...frameworks]);
  const source = join(directory, 'source');
  await cp(join(projectDirectory, 'packages', name), source, { recursive: true });
  // npm builds the package before it packs it.
  run(directory, 'npm', [...install, pack(source)]);

  // From here on only the packed package is used. The blocks of a page are one program.
  await rm(source, { recursive: true });
  await cp(join(projectDirectory, 'packages', name, 'test'), directory, { recursive: true });
  const pages = [join('packages', name, 'README.md'), join('docs', 'integrations', `${name}.md`)];
  const programs = await Promise.all(
    pages.map(async (page, at) => {
      const text = await readFile(join(projectDirectory, page), 'utf8');
      const blocks = [...text.matchAll(/^```ts\n([^]*?)^```/gm)].map(([, block = '']) => block);
      const program = `page-${at}.ts`;
      await writeFile(join(directory, program), blocks.join('\n'));
      return program;
    }),
  );
  run(directory, 'npx', ['tsc', ...strict, '--allowImportingTsExtensions', 'package.test.ts', ...programs]);
  const { base_url: baseUrl, api_key: key } = await starting.ready;
  const env = { STRATA_URL: baseUrl, STRATA_API_KEY: key };
  run(directory, 'node', ['--test', 'package.test.ts'], env);
  for (const program of programs) run(directory, 'node', [program], env);
}
