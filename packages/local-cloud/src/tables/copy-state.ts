/** State of a copy of the tables, in memory that both threads share. */
export const copyState = { begun: 0, done: 1, failed: 2 } as const;
