import { appendFileSync } from 'node:fs';
import type { AccessDenied } from './access-denied.ts';

/** Names the file that a test run looks into at its end, whichever process had the cloud. */
export const denialsVariable = 'STRATA_DENIALS_FILE';

/** Appends the message of a denial as a line to the file that the environment names; without one it does nothing. */
export const reportDenial = ({ message }: AccessDenied): void => {
  const file = process.env[denialsVariable];
  if (file !== undefined) appendFileSync(file, `${message}\n`);
};
