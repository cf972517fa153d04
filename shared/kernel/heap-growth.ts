import { setFlagsFromString } from 'node:v8';

/**
 * Lets the heap of this process grow more between garbage collections. ADR 29 has the measurements.
 * @param percent Growth of the live heap until the next full collection; V8's default is 25.
 */
export const letHeapGrow = (percent: number): void => {
  setFlagsFromString(`--heap-growing-percent=${percent}`);
};
