import { globSync } from 'node:fs';
import { projectDirectory } from '../support/project-directory.ts';

interface Part {
  /** Heading of the navigation; null for pages that links and the search find. */
  readonly title: string | null;
  readonly patterns: readonly string[];
  /** Factor of the score in searches: pages for a task come before those for details. */
  readonly weight: number;
}

/** Pages of the site, in the order of its navigation. */
export const parts: readonly Part[] = [
  { title: 'Guides', patterns: ['docs/guides/*.md'], weight: 1.6 },
  { title: 'Handbook', patterns: ['docs/handbook/*.md'], weight: 1.2 },
  { title: 'Integrations', patterns: ['docs/integrations/*.md'], weight: 1 },
  { title: 'Reference', patterns: ['docs/*.md'], weight: 0.9 },
  { title: null, patterns: ['README.md', 'packages/*/README.md'], weight: 0.8 },
  { title: null, patterns: ['{CHANGELOG,CONTRIBUTING,SECURITY}.md', 'docs/adr/*.md'], weight: 0.4 },
];

const found = (patterns: readonly string[]): readonly string[] =>
  globSync([...patterns], { cwd: projectDirectory }).toSorted();

export const pagesOf = ({ patterns }: Part): readonly string[] => found(patterns);

export const pictures = (): readonly string[] => found(['docs/**/*.svg']);

/** Every file that the site is made from, besides its code. */
export const siteSources = (): readonly string[] => [...parts.flatMap((part) => pagesOf(part)), ...pictures()];
