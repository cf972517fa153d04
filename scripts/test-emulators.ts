// `npm run test:emulators`: deploys the service into emulators of AWS that others wrote. See docs/emulators.md
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EmulatedDeployment, region, user } from './emulators/deployment.ts';
import { startMinistack } from './emulators/ministack.ts';
import { findPython, installPackage } from './emulators/python.ts';
import { StepRunner } from './emulators/steps.ts';
import { projectDirectory } from './support/project-directory.ts';
import { readCommandLine } from './support/read-command-line.ts';
import { runCommand } from './support/run-command.ts';

const usage = `npm run test:emulators -- [options]

Deploys the service into emulators of AWS that are written in Python, and are no part of the project. Into ministack:
bootstrap, deployment of an earlier commit, upgrade, smoke test, removal. In moto: what it knows of the templates. The
emulators are installed into dist/emulators on the first run.

  --from COMMIT    commit to upgrade from (default: the last tag of a release; without one there is no upgrade)
  --only NAME      ministack or moto (default: both)
  --python PATH    Python 3.10 or later (default: the first on the PATH)
  --keep           keeps the logs after a run without failures, too
`;

/** Versions that this was written for. start-ministack.py replaces functions of this one. */
const requirements = { ministack: 'ministack[full]==1.5.33', moto: 'moto[all,server]==5.2.5' } as const;

const git = (...args: readonly string[]): string =>
  execFileSync('git', args, { cwd: projectDirectory, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();

/** Commit of the last release; null if there is none. */
const lastRelease = (): string | null => {
  const { status, stdout } = spawnSync('git', ['describe', '--tags', '--abbrev=0', '--match', 'v*'], {
    cwd: projectDirectory,
    encoding: 'utf8',
  });
  return status === 0 ? stdout.trim() : null;
};

const lockFile = 'package-lock.json';

const hasSamePackages = (checkout: string): boolean =>
  readFileSync(join(checkout, lockFile), 'utf8') === readFileSync(join(projectDirectory, lockFile), 'utf8');

/** Checks out a commit beside this one. It shares the packages of this one, or gets its own if its lock file differs. */
const checkOut = async (
  commit: string,
  directory: string,
  steps: StepRunner,
): Promise<AsyncDisposable & { readonly path: string }> => {
  const path = join(directory, 'before');
  git('worktree', 'add', '--detach', path, commit);
  const packages = { program: 'npm', args: ['ci', '--no-audit', '--no-fund'], cwd: path, env: process.env };
  if (hasSamePackages(path)) symlinkSync(join(projectDirectory, 'node_modules'), join(path, 'node_modules'));
  else await steps.run(`packages of ${commit}`, packages);
  return {
    path,
    [Symbol.asyncDispose]: async () => {
      git('worktree', 'remove', '--force', path);
    },
  };
};

const deployBefore = async (
  deployment: EmulatedDeployment,
  commit: string,
  directory: string,
  steps: StepRunner,
): Promise<void> => {
  await using before = await checkOut(commit, directory, steps);
  await deployment.deploy(`deploy ${commit}`, before.path);
};

const keptRows = (deployment: EmulatedDeployment, action: 'write' | 'read'): Promise<string> =>
  deployment.script(`${action} rows`, 'emulators/kept-rows.ts', [
    action,
    '--url',
    deployment.url,
    '--user',
    user.email,
  ]);

const testMinistack = async (python: string, from: string | null, directory: string): Promise<void> => {
  const steps = new StepRunner(directory);
  const emulator = await steps.measure('start ministack', () => startMinistack(python, directory));
  try {
    const deployment = new EmulatedDeployment(emulator, steps);
    await deployment.bootstrap();
    if (from === null) {
      console.log('skipped upgrade: there is no tag of a release, give --from COMMIT');
      await deployment.deploy('deploy', projectDirectory);
      await deployment.createUser();
    } else {
      await deployBefore(deployment, from, directory, steps);
      await deployment.createUser();
      await keptRows(deployment, 'write');
      await deployment.deploy('upgrade', projectDirectory);
      await keptRows(deployment, 'read');
    }
    console.log((await deployment.smoke('smoke')).trim().replaceAll(/^/gm, '        '));
    await deployment.destroy();
    console.log(`${steps.passed} passed, 0 failed`);
  } finally {
    await emulator.stop();
  }
};

const testMoto = async (python: string, directory: string): Promise<void> => {
  const steps = new StepRunner(directory);
  const assembly = join(directory, 'assembly');
  const synthesize = {
    program: join(projectDirectory, 'node_modules', '.bin', 'cdk'),
    args: ['synth', '--quiet', '--output', assembly],
    cwd: projectDirectory,
    env: process.env,
  };
  await steps.run('synthesize', synthesize);
  const script = join(import.meta.dirname, 'emulators', 'create-in-moto.py');
  const create = { program: python, args: [script, assembly, region], cwd: directory, env: process.env };
  const output = await steps.run('create in moto', create);
  const lines = output.split('\n').filter((line) => /^gap|resources/.test(line));
  console.log(lines.join('\n').replaceAll(/^/gm, '        '));
  const [server, rows] = ['with-moto-server.py', 'vectors-in-moto.ts'].map((name) =>
    join(import.meta.dirname, 'emulators', name),
  ) as [string, string];
  const vectors = { program: python, args: [server, process.execPath, rows], cwd: projectDirectory, env: process.env };
  await steps.run('vectors in moto', vectors);
  console.log(`${steps.passed} passed, 0 failed`);
};

const main = async (): Promise<void> => {
  const { values } = readCommandLine({
    options: {
      from: { type: 'string' },
      only: { type: 'string' },
      python: { type: 'string' },
      keep: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    console.log(usage);
    return;
  }
  const { only = null } = values;
  if (only !== null && !Object.hasOwn(requirements, only)) throw new Error(`--only ${only}: give ministack or moto`);
  const python = findPython(values.python);
  const from = values.from === undefined ? lastRelease() : git('rev-parse', '--short', `${values.from}^{commit}`);
  const directory = mkdtempSync(join(tmpdir(), 'strata-emulators-'));
  const install = (name: keyof typeof requirements): string =>
    installPackage(python, join(projectDirectory, 'dist', 'emulators'), requirements[name]);
  if (only !== 'moto') await testMinistack(install('ministack'), from, directory);
  if (only !== 'ministack') await testMoto(install('moto'), directory);
  if (values.keep) console.log(`logs: ${directory}`);
  else rmSync(directory, { recursive: true, force: true });
};

await runCommand(main);
