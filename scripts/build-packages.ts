// `npm run packages`: builds everything that is published into dist/publish, and tries each publication.
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { findPython } from './emulators/python.ts';
import { writeComponents, writeNotices } from './publish/notices.ts';
import { projectDirectory } from './support/project-directory.ts';
import { readCommandLine } from './support/read-command-line.ts';
import { runCommand } from './support/run-command.ts';

const usage = `npm run packages -- [options]

Builds the npm packages, the Python packages, the list of components (CycloneDX) and the notices of third parties, and
tries to publish each package without publishing it. Publishes nothing. docs/releasing.md has the commands that do.

  --out DIR           folder of the results (default dist/publish)
  --repository URL    address of the public repository, which becomes part of the packages; provenance needs it
  --without-service   leaves out strata-service, which takes a minute
  --help              prints this
`;

/** Packages of npm, the client first: the others are built with it. */
const npmPackages = ['typescript', 'langchain-js', 'ai-sdk', 'mastra'] as const;
const pythonPackages = ['python', 'langchain', 'llama-index', 'haystack'] as const;
const pythonTools = ['build==1.6.1', 'twine==7.0.0'];

const {
  out,
  repository,
  'without-service': withoutService,
  help,
} = readCommandLine({
  args: process.argv.slice(2),
  options: {
    out: { type: 'string', default: join('dist', 'publish') },
    repository: { type: 'string' },
    'without-service': { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
}).values;

const path = [dirname(process.execPath), join(projectDirectory, 'node_modules', '.bin'), process.env['PATH']];

const run = (cwd: string, program: string, ...args: readonly string[]): string => {
  const env = { ...process.env, PATH: path.join(delimiter) };
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    cwd,
    env,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  if (status === 0) return stdout;
  throw new Error(`${program} ${args.join(' ')} in ${cwd}: ${error?.message ?? ''}${stdout}${stderr}`);
};

/** Copies a package, with the address of the repository if there is one. */
const copyPackage = (name: string, to: string): string => {
  const directory = join(to, name);
  cpSync(join(projectDirectory, 'packages', name), directory, { recursive: true });
  if (repository === undefined) return directory;
  const manifest = join(directory, 'package.json');
  const project = join(directory, 'pyproject.toml');
  if (globSync('package.json', { cwd: directory }).length > 0) {
    const own = { type: 'git', url: `git+${repository}.git`, directory: `packages/${name}` };
    const links = { homepage: `${repository}#readme`, bugs: `${repository}/issues`, repository: own };
    const fields = JSON.parse(readFileSync(manifest, 'utf8')) as Readonly<Record<string, unknown>>;
    writeFileSync(manifest, `${JSON.stringify({ ...fields, ...links }, null, 2)}\n`);
  } else {
    const urls = `[project.urls]\nRepository = "${repository}"\nIssues = "${repository}/issues"\n\n`;
    const text = readFileSync(project, 'utf8');
    writeFileSync(project, text.replace('[project.optional-dependencies]', `${urls}[project.optional-dependencies]`));
  }
  return directory;
};

const buildNpmPackages = (work: string, to: string): void => {
  // The configuration of the compiler of the client extends that of the project.
  cpSync(join(projectDirectory, 'tsconfig.json'), join(work, 'tsconfig.json'));
  const directories = npmPackages.map((name) => copyPackage(name, join(work, 'packages')));
  for (const [at, directory] of directories.entries()) {
    if (at === 0)
      run(work, 'npm', 'install', '--silent', '--no-audit', '--no-fund', '--no-save', ...compilerPackages());
    else {
      const client = globSync('strata-client-*.tgz', { cwd: to })[0] ?? '';
      run(
        directory,
        'npm',
        'install',
        '--silent',
        '--ignore-scripts',
        '--no-package-lock',
        '--no-save',
        join(to, client),
      );
    }
    run(directory, 'npm', 'pack', '--silent', '--pack-destination', to);
  }
};

/** Dependencies of the build of the client, as the lock file has them. */
const compilerPackages = (): readonly string[] => {
  const { dependencies, devDependencies } = JSON.parse(
    readFileSync(join(projectDirectory, 'package.json'), 'utf8'),
  ) as Record<'dependencies' | 'devDependencies', Record<string, string>>;
  return ['openapi-fetch', 'typescript', '@types/node'].map(
    (name) => `${name}@${dependencies[name] ?? devDependencies[name]}`,
  );
};

const buildService = (to: string): void => {
  run(projectDirectory, process.execPath, join('scripts', 'pack.ts'));
  const { version } = JSON.parse(readFileSync(join(projectDirectory, 'package.json'), 'utf8')) as { version: string };
  const archive = `strata-service-${version}.tgz`;
  cpSync(join(projectDirectory, 'dist', archive), join(to, archive));
};

const buildPythonPackages = (work: string, to: string): void => {
  run(work, findPython(undefined), '-m', 'venv', 'venv');
  const python = join(work, 'venv', 'bin', 'python');
  run(work, python, '-m', 'pip', 'install', '--quiet', ...pythonTools);
  for (const name of pythonPackages) run(copyPackage(name, work), python, '-m', 'build', '--outdir', to);
  run(to, python, '-m', 'twine', 'check', '--strict', ...readdirSync(to));
};

/** Does everything of a publication but the upload. */
const tryNpmPublications = (to: string): void => {
  for (const archive of readdirSync(to)) {
    run(to, 'npm', 'publish', `./${archive}`, '--dry-run', '--access', 'public', '--ignore-scripts');
    const files = execFileSync('tar', ['-tzf', join(to, archive)], { encoding: 'utf8' });
    for (const needed of ['package/LICENSE', 'package/README.md'])
      if (!files.split('\n').includes(needed)) throw new Error(`${archive} has no ${needed}`);
  }
};

await runCommand(() => {
  if (help) {
    console.log(usage);
    return;
  }
  const results = resolve(projectDirectory, out);
  const [npm, python] = [join(results, 'npm'), join(results, 'python')];
  rmSync(results, { recursive: true, force: true });
  for (const directory of [npm, python]) mkdirSync(directory, { recursive: true });
  const work = mkdtempSync(join(tmpdir(), 'strata-packages-'));
  try {
    writeFileSync(join(results, 'sbom.cdx.json'), writeComponents());
    writeFileSync(join(results, 'THIRD-PARTY-NOTICES.txt'), writeNotices());
    buildNpmPackages(work, npm);
    if (!withoutService) buildService(npm);
    tryNpmPublications(npm);
    buildPythonPackages(work, python);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  for (const file of globSync('**/*.*', { cwd: results }).toSorted()) console.log(join(out, file));
  if (repository === undefined) console.log('Without --repository the packages name none, and npm refuses provenance.');
  const isThere = spawnSync('docker', ['info'], { stdio: 'ignore' }).status === 0;
  if (!isThere) console.log('Docker does not run here, so no image was built.');
  else if (!withoutService) run(projectDirectory, 'docker', 'build', '--quiet', '--tag', 'strata', '.');
});
