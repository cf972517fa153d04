import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { commandLine } from './support/read-command-line.ts';
import { runCommand } from './support/run-command.ts';

const usage = `npm run release -- X.Y.Z [--dry-run]

Makes a release of the commit that is checked out: moves "Unreleased" of CHANGELOG.md under a heading of its own, sets
the version of package.json and package-lock.json, commits, and tags the commit vX.Y.Z. Pushes nothing.

  --dry-run   prints the section and the steps, and changes nothing
  --help      prints this
`;

const files = { changelog: 'CHANGELOG.md', manifest: 'package.json', lock: 'package-lock.json' } as const;

const versionPattern = /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)$/;

const numbersOf = (version: string): readonly number[] => version.split('.').map(Number);

/** Whether one version is later than another; both are `X.Y.Z`. */
const isLater = (version: string, than: string): boolean => {
  const before = numbersOf(than);
  const changed = numbersOf(version).findIndex((number, at) => number !== before[at]);
  return changed !== -1 && (numbersOf(version)[changed] ?? 0) > (before[changed] ?? 0);
};

const unreleased = '## Unreleased\n';

/** The text of a changelog up to its section "Unreleased", that section, and the rest. */
const splitChangelog = (text: string): readonly [before: string, section: string, after: string] => {
  const start = text.indexOf(unreleased);
  if (start === -1)
    throw new Error(`${files.changelog} has no section "## Unreleased". Add it above the last release.`);
  const body = start + unreleased.length;
  const next = text.indexOf('\n## ', body);
  const end = next === -1 ? text.length : next + 1;
  return [text.slice(0, start), text.slice(body, end).trim(), text.slice(end)];
};

/** Sets the version at the top of a JSON file, and of the project's own entry in a lock file. */
const withVersion = (json: string, version: string): string => {
  const parsed = JSON.parse(json) as { version: string; packages?: Record<string, { version?: string }> };
  parsed.version = version;
  const own = parsed.packages?.[''];
  if (own !== undefined) own.version = version;
  return `${JSON.stringify(parsed, null, 2)}\n`;
};

/** A checkout of the project. */
interface Checkout {
  readonly directory: string;
  /** Runs git there and returns what it prints. */
  readonly git: (...args: readonly string[]) => string;
}

const checkoutAt = (directory: string): Checkout => ({
  directory,
  git: (...args) => execFileSync('git', args, { cwd: directory, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }),
});

const read = ({ directory }: Checkout, file: string): string => readFileSync(join(directory, file), 'utf8');

const checkRelease = ({ git }: Checkout, version: string, current: string, section: string): void => {
  if (!versionPattern.test(version)) throw new Error(`"${version}" is not a version. Give X.Y.Z, such as 0.2.0.`);
  if (!isLater(version, current))
    throw new Error(`${version} is not later than ${current}, the version of ${files.manifest}.`);
  if (section === '') throw new Error(`"Unreleased" in ${files.changelog} is empty. Write down what has changed.`);
  const changed = git('status', '--porcelain').trimEnd();
  if (changed !== '') throw new Error(`The checkout has changes that are not committed:\n${changed}`);
  if (git('tag', '--list', `v${version}`) !== '') throw new Error(`The tag v${version} exists already.`);
};

/**
 * Makes a release in a checkout.
 * @returns What it did, or with `dryRun` would do, for people.
 * @throws Error in one sentence if the version, the changelog or the checkout does not allow it; nothing is changed then.
 */
const release = (checkout: Checkout, version: string, dryRun: boolean): string => {
  const changelog = read(checkout, files.changelog);
  const [before, section, after] = splitChangelog(changelog);
  const { version: current } = JSON.parse(read(checkout, files.manifest)) as { readonly version: string };
  checkRelease(checkout, version, current, section);
  const heading = `## ${version} (${new Date().toISOString().slice(0, 10)})`;
  if (!dryRun) {
    const write = (file: string, text: string) => writeFileSync(join(checkout.directory, file), text);
    write(files.changelog, `${before}${unreleased}\n${heading}\n\n${section}\n\n${after}`.trimEnd() + '\n');
    for (const file of [files.manifest, files.lock]) write(file, withVersion(read(checkout, file), version));
    checkout.git('commit', '--quiet', '--message', `Release ${version}`, '--', ...Object.values(files));
    checkout.git(
      'tag',
      '--annotate',
      `v${version}`,
      '--message',
      `Strata ${version}\n\n${section}`,
      '--cleanup=verbatim',
    );
  }
  const done = `${current} → ${version}, commit "Release ${version}", tag v${version}`;
  return dryRun
    ? `${heading}\n\n${section}\n\nWould make: ${done}. Nothing was changed.`
    : `Made: ${done}.\nPublish it with: git push origin HEAD v${version}`;
};

const { values, positionals } = commandLine({
  allowPositionals: true,
  options: { 'dry-run': { type: 'boolean', default: false }, help: { type: 'boolean', default: false } },
});
await runCommand(() => {
  const [version, ...others] = positionals;
  if (!values.help && (version === undefined || others.length > 0))
    throw new Error('Give one version; --help lists the options.');
  console.log(
    values.help || version === undefined ? usage : release(checkoutAt(process.cwd()), version, values['dry-run']),
  );
});
