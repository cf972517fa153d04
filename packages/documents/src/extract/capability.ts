import { join } from 'node:path';
import { capability } from '../../../../shared/kernel/capability.ts';
import { readerProcess } from './assets.ts';
import { createExtractor } from './extractor.ts';
import type { Extractor } from './port.ts';

/** Reads files of every format. */
export const extractorUse = capability<Extractor>(['files.extract'], ({ config: { assetsDirectory } }) =>
  createExtractor({ assetsDirectory, processPath: join(assetsDirectory, readerProcess.file) }),
);
