import { readFile, writeFile } from 'node:fs/promises';
import { commandLine } from './support/read-command-line.ts';

/** One entry of `packages` in `package-lock.json`, as far as completion reads or writes it. */
export interface LockedPackage {
  version?: string;
  cpu?: string[];
  dev?: boolean;
  libc?: string[];
  optional?: boolean;
  os?: string[];
  engines?: unknown;
  optionalDependencies?: Record<string, string>;
  [field: string]: unknown;
}

/** A `package-lock.json` of version 2 or 3; `packages` is keyed by install path, the project itself by `''`. */
export interface LockFile {
  packages: Record<string, LockedPackage>;
  [field: string]: unknown;
}

/** What completion changed: paths of added platform packages, and how many entries lost their `engines` or scripts. */
export interface Completion {
  readonly lock: LockFile;
  readonly added: readonly string[];
  readonly engineClaimsDropped: number;
  readonly scriptsDropped: number;
}

const osNames = ['aix', 'android', 'darwin', 'freebsd', 'linux', 'netbsd', 'openbsd', 'openharmony', 'sunos', 'win32'];
const cpuNames = ['arm64', 'arm', 'ia32', 'loong64', 'mips64el', 'ppc64', 'riscv64', 's390x', 'wasm32', 'x64'];

interface Platform {
  readonly os?: string;
  readonly cpu?: string;
  readonly libc?: string;
}

/**
 * The platform that a package of native code names, by the convention of napi-rs, esbuild and tsgolint
 * (`…-linux-arm64-musl`, `@esbuild/darwin-x64`); undefined for a package of another kind.
 */
const platformOf = (name: string): Platform | undefined => {
  const words = name.split(/[/-]/);
  const os = osNames.find((candidate) => words.includes(candidate));
  const cpu = cpuNames.find((candidate) => words.includes(candidate));
  if (cpu === undefined || (os === undefined && cpu !== 'wasm32')) return undefined;
  const abi = words.at(-1) ?? '';
  const libc = abi === 'musl' ? 'musl' : abi === 'gnu' ? 'glibc' : undefined;
  return { cpu, ...(os && { os }), ...(libc && { libc }) };
};

const placesFrom = (dependent: string, name: string): string[] => {
  const places = [`${dependent}/node_modules/${name}`];
  for (
    let at = dependent.lastIndexOf('/node_modules/');
    at !== -1;
    at = dependent.lastIndexOf('/node_modules/', at - 1)
  ) {
    places.push(`${dependent.slice(0, at)}/node_modules/${name}`);
  }
  return [...places, `node_modules/${name}`];
};

/** Returns the place of a dependency by the rule of Node.js; undefined if the lock file has none. */
export const placeOf = ({ packages }: LockFile, dependent: string, name: string): string | undefined =>
  placesFrom(dependent, name).find((place) => packages[place] !== undefined);

const entryFor = (version: string, { os, cpu, libc }: Platform, dependent: LockedPackage): LockedPackage => ({
  version,
  ...(cpu && { cpu: [cpu] }),
  ...(dependent.dev && { dev: true }),
  ...(libc && { libc: [libc] }),
  optional: true,
  ...(os && { os: [os] }),
});

const isExactVersion = (version: string): boolean => /^\d+\.\d+\.\d+[\w.+-]*$/.test(version);

/**
 * Lists the native packages of every platform, whichever of them the registry at hand serves. npm leaves out an optional
 * package that it cannot fetch, and `npm ci` then refuses the lock file; an entry without address and checksum
 * satisfies it, and npm fetches it on its own platform alone.
 *
 * Entries also lose their `engines`: everything runs under the Node.js of the `node` package, not under the one that
 * runs npm, so the warnings that npm derives from them would be wrong.
 *
 * Packages of `deniedScripts` lose `hasInstallScript`, without which npm runs no scripts at `npm ci`. Versions before 11 do
 * not know `allowScripts`. The one of onnxruntime-node would download hundreds of megabytes for graphics processors.
 *
 * Repeating it changes nothing. Throws when a native dependency has a version range, or sits where another version is.
 */
export const completeLock = (lock: LockFile, deniedScripts: readonly string[] = []): Completion => {
  const packages = { ...lock.packages };
  const added: string[] = [];
  for (const [dependent, locked] of Object.entries(lock.packages)) {
    for (const [name, version] of Object.entries(locked.optionalDependencies ?? {})) {
      const platform = platformOf(name);
      const places = placesFrom(dependent, name);
      if (!platform || places.some((place) => packages[place]?.version === version)) continue;
      if (!isExactVersion(version)) throw new Error(`${dependent} wants ${name}@${version}: cannot complete a range`);
      const free = places.findLast((place) => !packages[place]);
      if (!free) throw new Error(`No place for ${name}@${version} of ${dependent}`);
      packages[free] = entryFor(version, platform, locked);
      added.push(free);
    }
  }
  const claims = Object.entries(packages).filter(([path, locked]) => path !== '' && locked.engines !== undefined);
  for (const [path, { engines: _, ...rest }] of claims) packages[path] = rest;
  const denied = deniedScripts
    .map((name) => `node_modules/${name}`)
    .filter((path) => packages[path]?.['hasInstallScript'] !== undefined);
  for (const path of denied) {
    const { hasInstallScript: _, ...rest } = packages[path] ?? {};
    packages[path] = rest;
  }
  const sorted = Object.fromEntries(Object.entries(packages).toSorted(([a], [b]) => a.localeCompare(b, 'en')));
  return {
    lock: { ...lock, packages: sorted },
    added,
    engineClaimsDropped: claims.length,
    scriptsDropped: denied.length,
  };
};

const main = async (): Promise<void> => {
  const { values } = commandLine({ options: { check: { type: 'boolean', default: false } } });
  const lock = JSON.parse(await readFile('package-lock.json', 'utf8')) as LockFile;
  const { allowScripts = {} } = JSON.parse(await readFile('package.json', 'utf8')) as {
    readonly allowScripts?: Readonly<Record<string, boolean>>;
  };
  const deniedScripts = Object.keys(allowScripts).filter((name) => allowScripts[name] === false);
  const { lock: complete, added, engineClaimsDropped, scriptsDropped } = completeLock(lock, deniedScripts);
  if (added.length + engineClaimsDropped + scriptsDropped === 0) {
    console.log(`package-lock.json is complete: ${Object.keys(lock.packages).length} packages`);
    return;
  }
  const summary = `${added.length} platform packages, ${engineClaimsDropped} engine claims and ${scriptsDropped} scripts`;
  if (values.check) {
    console.error(`package-lock.json needs \`npm run lock\`: ${summary}\n${added.join('\n')}`);
    process.exitCode = 1;
    return;
  }
  await writeFile('package-lock.json', `${JSON.stringify(complete, null, 2)}\n`);
  console.log(`package-lock.json completed: ${summary}`);
};

if (import.meta.main) await main();
