import { join } from 'node:path';

/** Where the checkout lies, in which everything is found by its path. */
export const projectDirectory = join(import.meta.dirname, '..', '..');
