import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { projectDirectory } from '../support/project-directory.ts';

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license?: string | { readonly type: string };
  /** Form of old packages. */
  readonly licenses?: readonly { readonly type: string }[];
  readonly author?: string | { readonly name?: string };
}

/** Line between two packages. */
export const noticeRule = '═'.repeat(80);

const licenseFile = /^(?:licen[cs]e|copying|notice)/i;

/** Text of the licence files of a package. */
const textsOf = (directory: string): string =>
  readdirSync(directory, { withFileTypes: true })
    .filter((entry) => entry.isFile() && licenseFile.test(entry.name))
    .map((entry) => readFileSync(join(directory, entry.name), 'utf8').trim())
    .join('\n\n');

/**
 * Returns names, licences and copyright notices of all packages that the service contains or installs. Packages of other
 * systems are not installed here, and have the licence of the package that needs them.
 */
export const writeNotices = (): string => {
  const lock = JSON.parse(readFileSync(join(projectDirectory, 'package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<Record<string, { readonly dev?: boolean; readonly link?: boolean }>>;
  };
  const notices = Object.entries(lock.packages).flatMap(([place, { dev, link }]) => {
    const directory = join(projectDirectory, place);
    const manifestFile = join(directory, 'package.json');
    if (!place.includes('node_modules/') || dev === true || link === true || !existsSync(manifestFile)) return [];
    const { name, version, license, licenses, author } = JSON.parse(readFileSync(manifestFile, 'utf8')) as Manifest;
    const text = textsOf(directory);
    const named = typeof license === 'string' ? license : (license ?? licenses?.[0])?.type;
    const licenseName = named ?? text.split('\n')[0] ?? '';
    const authorName = typeof author === 'string' ? author : author?.name;
    const by = authorName === undefined ? '' : `\nBy ${authorName}`;
    return [`${name} ${version}\nLicence: ${licenseName}${by}\n\n${text}`.trimEnd()];
  });
  return `${['Packages of third parties that Strata contains or installs', ...new Set(notices)].join(`\n\n${noticeRule}\n\n`)}\n`;
};

interface Components {
  readonly components: readonly {
    readonly 'bom-ref': string;
    readonly properties?: readonly { readonly name: string; readonly value: string }[];
  }[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

/** Returns the components of the service as CycloneDX, without the tools of its development. */
export const writeComponents = (): string => {
  // With `--omit dev`, npm leaves out what both the project and a workspace depend on.
  const command = ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'];
  const options = {
    cwd: projectDirectory,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
    shell: process.platform === 'win32',
  } as const;
  const all = JSON.parse(execFileSync('npm', command, options)) as Components & Record<string, unknown>;
  const isTool = ({ properties = [] }: Components['components'][number]): boolean =>
    properties.some(({ name, value }) => name === 'cdx:npm:package:development' && value === 'true');
  const components = all.components.filter((component) => !isTool(component));
  const tools = new Set(all.components.filter((component) => isTool(component)).map((tool) => tool['bom-ref']));
  const dependencies = all.dependencies
    .filter(({ ref }) => !tools.has(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((other) => !tools.has(other)) }));
  return `${JSON.stringify({ ...all, components, dependencies }, null, 1)}\n`;
};
