import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { synthesize } from '../lib/synthesize.ts';

/** npm installs the engine for the system of the machine alone. */
const nativeLibrary = join('layers', 'engine', 'nodejs', 'node_modules', '@lancedb', 'lancedb-linux-x64-gnu');
if (!existsSync(join(import.meta.dirname, '..', 'dist', nativeLibrary)))
  throw new Error('the engine is not installed for the system of the functions: deploy from Linux on x86-64');

await synthesize({ validate: true });
