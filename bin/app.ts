import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { synthesize } from '../lib/synthesize.ts';
import { refuseOptionsKeptByNpm } from '../scripts/support/read-command-line.ts';

/** Options of `cdk deploy` without which it would deploy something else than was meant. */
refuseOptionsKeptByNpm(
  {
    parameters: { type: 'string' },
    context: { type: 'string' },
    profile: { type: 'string' },
    'role-arn': { type: 'string' },
    'require-approval': { type: 'string' },
  },
  [],
);

/** npm installs the engine for the system of the machine alone. */
const nativeLibrary = join('layers', 'engine', 'nodejs', 'node_modules', '@lancedb', 'lancedb-linux-x64-gnu');
if (!existsSync(join(import.meta.dirname, '..', 'dist', nativeLibrary)))
  throw new Error('the engine is not installed for the system of the functions: deploy from Linux on x86-64');

await synthesize({ validate: true });
