import { join } from 'node:path';
import { capability } from '../../kernel/capability.ts';
import { guardedProcess, type GuardedOptions } from '../guarded-process.ts';
import { siteReaderProcess } from './assets.ts';
import type { PageFacts, ReadablePage } from './read-page.ts';
import type { Sitemap } from './read-sitemap.ts';
import { type Robots, compileRobots, type RobotsRules } from './robots-txt.ts';

/** Request to the process that parses responses of sites. */
export type SiteRequest =
  | { readonly task: 'page'; readonly page: Omit<ReadablePage, 'bytes'> }
  | { readonly task: 'sitemap'; readonly isCut: boolean }
  | { readonly task: 'robots'; readonly robotsUrl: string; readonly text: string };

/** Its response; `failure` is for the log. */
export type SiteAnswer = { readonly result: unknown } | { readonly failure: string };

/** Content that exceeds the time or memory limit, or crashes its parser. */
export class UnreadableContent extends Error {
  constructor(cause: unknown) {
    super('the content of an address could not be parsed', { cause });
    this.name = 'UnreadableContent';
  }
}

/** Parses responses of sites in a separate process. Throws `UnreadableContent`. */
export interface SiteReader {
  /** Null if it is no text. */
  page(page: ReadablePage): Promise<PageFacts | null>;
  /** Null if it is no sitemap. `isCut`: the bytes are only its beginning. */
  sitemap(bytes: Uint8Array, isCut: boolean): Promise<Sitemap | null>;
  robots(robotsUrl: string, text: string): Promise<Robots>;
}

/** A page of 10 MiB takes up to five seconds on two cores and 450 MB. */
const bounds = { timeoutSeconds: 20, memoryMb: 512 } as const;

/** Location of the process. The module at `processPath` calls `serveSiteReader`. */
type SiteReaderOptions = Pick<GuardedOptions, 'assetsDirectory' | 'processPath' | 'codeDirectory'> &
  Partial<Pick<GuardedOptions, 'timeoutSeconds' | 'memoryMb'>>;

/** Opens a reader whose process starts with the first request. */
export const createSiteReader = (options: SiteReaderOptions): SiteReader => {
  const send = guardedProcess<SiteRequest, SiteAnswer>({ ...bounds, ...options });
  const read = async <Result>(request: SiteRequest, bytes?: Uint8Array): Promise<Result> => {
    const answer = await send(request, bytes === undefined ? {} : { bytes }).catch((error: unknown) => {
      throw new UnreadableContent(error);
    });
    if ('failure' in answer) throw new UnreadableContent(answer.failure);
    // The process has the same build, so each task returns its result type.
    return answer.result as Result;
  };
  return {
    page: ({ bytes, ...page }) => read({ task: 'page', page }, bytes),
    sitemap: (bytes, isCut) => read({ task: 'sitemap', isCut }, bytes),
    robots: async (robotsUrl, text) => compileRobots(await read<RobotsRules>({ task: 'robots', robotsUrl, text })),
  };
};

export const siteReader = capability<SiteReader>(['files.extract'], ({ config: { assetsDirectory } }) =>
  createSiteReader({ assetsDirectory, processPath: join(assetsDirectory, siteReaderProcess.file) }),
);
