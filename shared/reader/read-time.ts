import { capability } from '../kernel/capability.ts';
import { defaultReadMs } from '../kernel/config.ts';
import type { Operation } from './contracts.ts';

/** The name of `ReadTimedOut`, by which a caller in another region recognizes it. */
export const readTimedOut = 'ReadTimedOut';

/** A read that has not ended in its time. */
export class ReadTimedOut extends Error {
  constructor(operation: Operation['op'], ms: number) {
    super(`${operation} has not ended within ${ms} ms`);
    this.name = readTimedOut;
  }
}

/** Milliseconds that a read of an index may take. */
export const readTime = capability<number>([], ({ config }) => config.readMs ?? defaultReadMs);

/** Ends with a read, or throws `ReadTimedOut`. The engine cannot be interrupted, so it goes on while the function runs. */
export const withinTime = async <Result>(
  operation: Operation['op'],
  ms: number,
  read: Promise<Result>,
): Promise<Result> => {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new ReadTimedOut(operation, ms)), ms);
  try {
    return await Promise.race([read, late.promise]);
  } finally {
    clearTimeout(timer);
  }
};
