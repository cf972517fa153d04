import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { bundleHost, hostDirectory, packedFile, prepareAssembly } from '#local-cloud';
import { layerPackages } from '../lib/assets.ts';
import { type LockFile, placeOf } from './complete-lock.ts';
import { writeNotices } from './publish/notices.ts';
import { projectDirectory } from './support/project-directory.ts';

/** Name of the package, and of its command. */
const name = 'strata-service';
const entry = join('packages', 'local-cloud', 'src', 'start.mjs');
const regions = ['us-east-1'];
const output = join(projectDirectory, 'dist', 'package');

/** Optional dependencies of packages that no function uses, by the package. The overrides of a checkout omit them too. */
const unused: Readonly<Record<string, readonly string[]>> = {
  'node_modules/@lancedb/lancedb': ['@huggingface/transformers', 'openai'],
};

const readJson = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8'));

const write = (path: string, content: string): void => {
  mkdirSync(dirname(join(output, path)), { recursive: true });
  writeFileSync(join(output, path), content);
};

const copy = (path: string, isCopied: (file: string) => boolean = () => true): void =>
  cpSync(join(projectDirectory, path), join(output, path), { recursive: true, filter: isCopied });

/** Copies the templates. Their assets are paths of this machine, and become relative ones. */
const copyAssembly = (directory: string): void => {
  for (const file of readdirSync(directory)) {
    if (!/^manifest\.json$|\.(?:template|assets)\.json$/.test(file)) continue;
    const from = relative(projectDirectory, directory);
    const text = readFileSync(join(directory, file), 'utf8');
    const paths = text.replaceAll(
      /"path": "(\/[^"]*)"/g,
      (_, path: string) => `"path": "${relative(directory, path)}"`,
    );
    write(join(from, file), paths);
  }
};

type Names = Readonly<Record<string, unknown>>;

/** Locks the dependencies to the versions of the checkout. Returns the lock file of the package. */
const lockOf = (manifest: { readonly dependencies: Readonly<Record<string, string>> }): LockFile => {
  const lock = readJson(join(projectDirectory, 'package-lock.json')) as LockFile;
  const packages: LockFile['packages'] = { '': { ...manifest } };
  const visit = (from: string, dependency: string): void => {
    const place = placeOf(lock, from, dependency);
    if (place === undefined || packages[place] !== undefined) return;
    const { dev: _, devOptional: __, peer: ___, optionalDependencies = {}, ...locked } = lock.packages[place] ?? {};
    const isUsed = (optionalName: string): boolean => unused[place]?.includes(optionalName) !== true;
    const optional = Object.fromEntries(
      Object.entries(optionalDependencies).filter(([optionalName]) => isUsed(optionalName)),
    );
    packages[place] = { ...locked, optionalDependencies: optional };
    const {
      dependencies = {},
      peerDependencies = {},
      peerDependenciesMeta: meta = {},
    } = lock.packages[place] as {
      readonly dependencies?: Names;
      readonly peerDependencies?: Names;
      readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
    };
    const peers = Object.keys(peerDependencies).filter((peer) => meta[peer]?.optional !== true);
    for (const next of [...Object.keys(dependencies), ...Object.keys(optional), ...peers]) visit(place, next);
  };
  for (const dependency of Object.keys(manifest.dependencies)) visit('', dependency);
  return { name, lockfileVersion: 3, requires: true, packages };
};

const versionOf = (dependency: string): string =>
  (readJson(join(projectDirectory, 'node_modules', dependency, 'package.json')) as { version: string }).version;

const assembly = await prepareAssembly({ deployment: 'strata', regions, onProgress: console.error });
const externals = await bundleHost();
const layers = Object.entries(layerPackages).flatMap(([asset, names]) => (asset === 'onnx' ? [] : names));
const names = [...new Set([...externals, ...layers])].toSorted();
const { version, license } = readJson(join(projectDirectory, 'package.json')) as { version: string; license: string };
const manifest = {
  name,
  version,
  description: 'Strata, whole on one machine.',
  license,
  type: 'module',
  bin: { [name]: entry },
  engines: { node: '>=24' },
  os: [process.platform],
  cpu: [process.arch],
  dependencies: Object.fromEntries(names.map((dependency) => [dependency, versionOf(dependency)])),
};
rmSync(output, { recursive: true, force: true });
write('package.json', JSON.stringify(manifest, null, 2));
write('npm-shrinkwrap.json', JSON.stringify({ version, ...lockOf(manifest) }, null, 2));
write(packedFile, JSON.stringify({ regions }));
write(
  'README.md',
  `# Strata on one machine\n\n\`npx ${name}\` starts the service. Its data is in \`.data\` of the present folder.\n`,
);
copy('LICENSE');
write('THIRD-PARTY-NOTICES.txt', writeNotices());
copy(entry);
copy(relative(projectDirectory, hostDirectory));
// Nothing to compare the bundle with: it is the source.
write(join(relative(projectDirectory, hostDirectory), 'stamp.json'), '[]');
copy(join('dist', 'functions'), (file) => !file.endsWith('stamp.json'));
// The package of onnxruntime has the files of all systems, and its installation downloads more.
copy(join('dist', 'layers', 'onnx'));
copyAssembly(assembly);
const packing = ['pack', output, '--json', '--pack-destination', join(projectDirectory, 'dist')];
const { stdout } = await promisify(execFile)('npm', packing, {
  maxBuffer: 2 ** 28,
  shell: process.platform === 'win32',
});
const [made] = JSON.parse(stdout) as readonly { readonly filename: string; readonly size: number }[];
console.log(`dist/${made?.filename ?? ''}, ${((made?.size ?? 0) / 1e6).toFixed(0)} MB`);
