import * as z from 'zod';

/** Text around one `@`, whose domain has no empty label. More only the mail system of that domain could tell. */
const shape = /^[^@\s]+@[^@\s.]+(?:\.[^@\s.]+)*$/u;

const isAscii = (text: string): boolean => /^\p{ASCII}*$/u.test(text);

/** An address in the form in which two spellings of it are equal. */
const comparable = (text: string): string => text.normalize('NFC').toLowerCase().normalize('NFC');

/** Whether a character stays what it is: the Kelvin sign would become a `k`, and its address that of somebody else. */
const staysItself = (character: string): boolean => isAscii(character) || !isAscii(comparable(character));

const isText = (text: string): boolean => text.isWellFormed() && !/\p{Cc}/u.test(text);

/**
 * The e-mail address of a person, in any script, as `comparable` has it. What an identity provider has verified and what
 * somebody is invited under are read by this alone, so that they meet.
 */
export const EmailAddress = z
  .string()
  .refine((text) => isText(text) && Array.from(text).every(staysItself), {
    error: 'value is not a valid email address',
  })
  .overwrite(comparable)
  .max(320, { abort: true })
  .regex(shape, { error: 'value is not a valid email address' });
