import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { functionBundles } from '../../../../scripts/bundle.ts';
import { buildConsole } from '../../../../scripts/build-console.ts';
import { buildBundles, bundleFunctions } from '../../../../scripts/bundle/bundle-functions.ts';
import type { BundleEntry, BundleOrder } from '../../../../scripts/bundle/bundle-stamp.ts';
import { projectDirectory } from '../../../../scripts/support/project-directory.ts';
import { watchSources } from './watch-sources.ts';

/** How a running service takes changes of its sources. */
export interface FollowOptions {
  /** Builds templates of the present sources, and resolves to their folder. */
  readonly assembly: () => Promise<string>;
  /** Ends the processes of functions whose code has changed. */
  readonly restartFunctions: (functionIds: ReadonlySet<string>) => void;
  /** Starts the whole service again. */
  readonly restartService: () => void;
  readonly say: (text: string) => void;
}

/** Digest of all templates of an assembly. */
const digestTemplates = (assembly: string): string => {
  const digest = createHash('sha256');
  for (const file of globSync('**/*.template.json', { cwd: assembly }).toSorted())
    digest.update(`\n${file}\n`).update(readFileSync(join(assembly, file)));
  return digest.digest('hex');
};

/** Order for the bundles that contain a source, and for those that have such a bundle beside them. */
export const staleBundles = (
  order: BundleOrder,
  sources: ReadonlyMap<string, readonly string[]>,
  changed: readonly string[],
): BundleOrder => {
  const contains = ({ id }: BundleEntry): boolean => sources.get(id)?.some((path) => changed.includes(path)) ?? false;
  const stale = new Set(order.entries.filter(contains));
  const isBeside = ({ files }: BundleEntry): boolean =>
    files.some(({ from }) => [...stale].some(({ id }) => from.includes(`functions/${id}/`)));
  return { ...order, entries: order.entries.filter((entry) => stale.has(entry) || isBeside(entry)) };
};

/** Source of the console, whose build the bundles of its functions contain. */
const isConsoleSource = (path: string): boolean =>
  /^(console|packages[/\\]typescript|shared[/\\](http|kernel))[/\\]/.test(path);

/** Functions that serve the console. */
const consoleFunctions = new Set(['get-console-page', 'get-console-file', 'get-authorization-page']);

/** Source of the service on one machine, which runs in this process. */
const isHostSource = (path: string): boolean => /^(local|scripts)[/\\]/.test(path);

/** Source that goes into bundles or templates. */
const isSource = (path: string): boolean => /\.(tsx?|mjs|json|html|css|js|svg)$/.test(path);

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/**
 * Bundles functions or the console again when a source changes, and ends the processes of those whose bundle differs. Then builds the
 * templates, and starts the service again if they differ too, or if the source of the service itself has changed.
 * Errors of the sources are printed; the service goes on with the code that it had. The watch ends with the process.
 */
export const followSources = async (options: FollowOptions): Promise<void> => {
  const { assembly, restartFunctions, restartService, say } = options;
  const order = functionBundles();
  const sources = new Map((await bundleFunctions(order)).map((bundle) => [bundle.id, bundle.sources]));
  const templates = digestTemplates(await assembly());
  const bundle = async (changed: readonly string[]): Promise<void> => {
    const began = performance.now();
    const stale = staleBundles(order, sources, changed);
    if (stale.entries.length === 0) return;
    const bundles = await buildBundles(stale);
    for (const built of bundles) sources.set(built.id, built.sources);
    restartFunctions(new Set(bundles.map(({ id }) => id)));
    const names = bundles.length > 5 ? `${bundles.length} functions` : bundles.map(({ id }) => id).join(', ');
    say(`bundled ${names} again in ${(performance.now() - began).toFixed(0)} ms`);
  };
  const bundleConsole = async (): Promise<void> => {
    const began = performance.now();
    await buildConsole();
    // Names of the files contain a hash of their content, so the list of them is a new one.
    const { entries, ...rest } = functionBundles();
    await buildBundles({ ...rest, entries: entries.filter(({ id }) => consoleFunctions.has(id)) });
    restartFunctions(consoleFunctions);
    say(`built the console again in ${(performance.now() - began).toFixed(0)} ms: reload its page`);
  };
  const follow = async (paths: ReadonlySet<string>): Promise<void> => {
    const changed = [...paths].filter(isSource);
    if (changed.length === 0) return;
    if (changed.some(isHostSource)) {
      restartService();
      return;
    }
    try {
      if (changed.some(isConsoleSource)) await bundleConsole();
      await bundle(changed);
      if (digestTemplates(await assembly()) === templates) return;
      say('the templates have changed, so the service starts again');
      restartService();
    } catch (error) {
      say(messageOf(error));
    }
  };
  watchSources(projectDirectory, ['bin', 'console', 'functions', 'lib', 'packages', 'scripts', 'shared'], follow);
  say('watching sources');
};
