import type { Writing } from '../uses.ts';

/** A commit takes up to nine times its weight at its peak, and the function some 200 MB besides. */
const memoryPerWeight = 12;

/** What a change may weigh that has to be one commit. */
export const mostBytesAtOnce = ({ run }: Pick<Writing, 'run'>): number =>
  (run.memoryMb * 1024 * 1024) / memoryPerWeight;

/** A run begins nothing further when it has less left: one may take this long, and a run that is killed does all again. */
const reserveMs = 60_000;

/** Whether a run has no time for anything further. */
export const isShort = ({ run }: Pick<Writing, 'run'>): boolean => run.remainingMs() < reserveMs;
