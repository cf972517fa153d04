import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { projectDirectory } from '../../../../scripts/support/project-directory.ts';

/** Says that this is the npm package: it contains the service as built, and none of its sources. */
export const packedFile = join('dist', 'packed.json');

const Packed = z.object({ regions: z.array(z.string()) });

/** Target of the build of the npm package; null in a checkout. */
export const packed: z.output<typeof Packed> | null = existsSync(join(projectDirectory, packedFile))
  ? Packed.parse(JSON.parse(readFileSync(join(projectDirectory, packedFile), 'utf8')))
  : null;
