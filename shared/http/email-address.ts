import * as z from 'zod';

/** Form of an e-mail address: one `@` and a domain without empty labels. Only its mail server could check more. */
const shape = /^[^@\s]+@[^@\s.]+(?:\.[^@\s.]+)*$/u;

const isAscii = (text: string): boolean => /^\p{ASCII}*$/u.test(text);

/** Normalizes an address, so that equal addresses are equal strings. */
const normalize = (text: string): string => text.normalize('NFC').toLowerCase().normalize('NFC');

/** Whether normalization keeps a character out of ASCII. The Kelvin sign becomes a `k`, the address of another person. */
const isUnambiguous = (character: string): boolean => isAscii(character) || !isAscii(normalize(character));

const isText = (text: string): boolean => text.isWellFormed() && !/\p{Cc}/u.test(text);

/**
 * Schema of an e-mail address in any script, normalized. Addresses from identity providers and from invitations use this
 * schema, so that they match.
 */
export const EmailAddress = z
  .string()
  .refine((text) => isText(text) && Array.from(text).every(isUnambiguous), {
    error: 'value is not a valid email address',
  })
  .overwrite(normalize)
  .max(320, { abort: true })
  .regex(shape, { error: 'value is not a valid email address' });
