import { appendFileSync } from 'node:fs';
import type { AccessDenied } from './access-denied.ts';

/** Environment variable with the file of denials, which a test run checks at its end. */
export const denialsVariable = 'STRATA_DENIALS_FILE';

/** Appends the message of a denial as a line to the file that the environment names, if any. */
export const reportDenial = ({ message }: AccessDenied): void => {
  const file = process.env[denialsVariable];
  if (file !== undefined) appendFileSync(file, `${message}\n`);
};
