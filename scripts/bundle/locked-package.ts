import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** One entry of `packages` in `package-lock.json`, as far as layers read it. */
interface LockedPackage {
  readonly version: string;
  /** `sha512-` and the digest of the archive in base64; absent for a package that the registry of the lock did not have. */
  readonly integrity?: string;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly libc?: readonly string[];
}

/** Reads the packages of a lock file by their place in the project. */
export const readLock = async (projectDirectory: string): Promise<Readonly<Record<string, LockedPackage>>> => {
  const text = await readFile(join(projectDirectory, 'package-lock.json'), 'utf8');
  return (JSON.parse(text) as { readonly packages: Readonly<Record<string, LockedPackage>> }).packages;
};

const allows = (names: readonly string[] | undefined, name: string): boolean =>
  names === undefined || names.includes(name);

/** Platform of functions: x86-64 Linux with glibc. */
export const lambdaPlatform = { os: 'linux', cpu: 'x64', libc: 'glibc' } as const;

/** Returns whether a package of native code is for the platform of functions. */
export const isForLambda = ({ os, cpu, libc }: LockedPackage): boolean =>
  allows(os, lambdaPlatform.os) && allows(cpu, lambdaPlatform.cpu) && allows(libc, lambdaPlatform.libc);

/**
 * Fetches a package of another platform than this machine's from the registry of npm, and compares it with the lock file.
 * @returns Its directory below `cacheDirectory`, where a later call finds it.
 * @throws Error if the archive is not the one that the lock file names.
 */
export const fetchPackage = async (
  name: string,
  { version, integrity }: LockedPackage,
  cacheDirectory: string,
): Promise<string> => {
  if (integrity === undefined) throw new Error(`package-lock.json has no checksum of ${name}: run npm run lock`);
  const place = join(cacheDirectory, `${name.replace('/', '+')}@${version}`);
  if (existsSync(place)) return place;
  await mkdir(cacheDirectory, { recursive: true });
  const directory = await mkdtemp(join(cacheDirectory, '.fetch-'));
  try {
    const arguments_ = ['pack', `${name}@${version}`, '--json', '--pack-destination', directory];
    const { stdout } = await run('npm', arguments_, { cwd: directory, shell: process.platform === 'win32' });
    const [packed] = JSON.parse(stdout) as readonly { readonly filename: string }[];
    const archive = join(directory, packed?.filename ?? '');
    const digest = `sha512-${createHash('sha512')
      .update(await readFile(archive))
      .digest('base64')}`;
    if (digest !== integrity)
      throw new Error(`${name}@${version} has the checksum ${digest}, and package-lock.json has ${integrity}`);
    // Every system that runs Node.js 24 has it, Windows too.
    await run('tar', ['-xzf', packed?.filename ?? ''], { cwd: directory });
    await rename(join(directory, 'package'), place);
    return place;
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
};
