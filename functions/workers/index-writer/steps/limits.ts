import type { Writing } from '../uses.ts';

/** Bytes of memory for each byte of a commit. A commit takes up to nine times its weight, and the function some 200 MB more. */
const memoryPerWeight = 12;

/** Returns the maximum weight in bytes of a change that must be one commit. */
export const maxCommitBytes = ({ run }: Pick<Writing, 'run'>): number => (run.memoryMb * 1024 * 1024) / memoryPerWeight;

/** Remaining milliseconds below which a run begins no further change. A change may take this long, and a killed run repeats it. */
const reserveMs = 60_000;

/** Whether a run is too short of time to begin a further change. */
export const isShortOfTime = ({ run }: Pick<Writing, 'run'>): boolean => run.remainingMs() < reserveMs;
