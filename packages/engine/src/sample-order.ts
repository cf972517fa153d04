import { createHash } from 'node:crypto';

/** Returns a number of 48 bits by which samples are ordered, the same for the same text. */
export const hashed = (text: string): number => createHash('sha256').update(text).digest().readUIntBE(0, 6);
