import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';

const candidates = ['python3', 'python3.13', 'python3.12', 'python3.11', 'python3.10', 'python'];

/** Emulators need language features of this version. */
const check = 'import sys, venv; sys.exit(sys.version_info < (3, 10))';

/** Program of a Python that can make virtual environments. Throws Error that says what is missing. */
export const findPython = (given: string | undefined): string => {
  const names = given === undefined ? candidates : [given];
  const found = names.find((name) => spawnSync(name, ['-c', check], { stdio: 'ignore' }).status === 0);
  if (found !== undefined) return found;
  throw new Error(
    `${names.join(', ')}: none is a Python 3.10 or later with venv. The emulators are written in Python. Install it, or give --python PATH.`,
  );
};

/** Installs a package into a virtual environment of its own, unless it is there. Returns the program of its Python. */
export const installPackage = (python: string, directory: string, requirement: string): string => {
  const environment = join(directory, requirement.replaceAll(/[^\w.]+/g, '-'));
  const program = join(environment, 'bin', 'python');
  const marker = join(environment, 'installed');
  if (existsSync(marker)) return program;
  mkdirSync(directory, { recursive: true });
  const run = (command: string, ...args: readonly string[]): void => {
    const { status, stderr } = spawnSync(command, args, { encoding: 'utf8' });
    if (status !== 0) throw new Error(`${requirement} cannot be installed: ${stderr.trim().split('\n').at(-1)}`);
  };
  run(python, '-m', 'venv', environment);
  run(program, '-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', requirement);
  mkdirSync(marker);
  return program;
};
