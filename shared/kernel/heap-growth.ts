import { setFlagsFromString } from 'node:v8';

/** By how much of what it holds the heap may grow until all of it is collected anew; V8 alone takes a quarter. ADR 29 has the measurement. */
const growthPercent = 100;

/** Lets the heap of this process grow further between collections, which V8 reads at each of them. */
export const letHeapGrow = (): void => {
  setFlagsFromString(`--heap-growing-percent=${growthPercent}`);
};
