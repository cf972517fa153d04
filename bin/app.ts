import { synthesize } from '../lib/synthesize.ts';

await synthesize({ validate: true });
