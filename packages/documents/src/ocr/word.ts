import type { Box } from './ink.ts';

/** Word of a page, as the engine read it. */
export interface Word extends Box {
  readonly text: string;
  /** 0 to 1. */
  readonly confidence: number;
  /** Key of its line: words of one line have the same. */
  readonly line: string;
  /** Whether it follows the word before without a space, as Chinese, Japanese and parts of Korean words do. */
  readonly isJoined?: boolean;
}
