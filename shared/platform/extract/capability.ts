import { capability } from '../../kernel/capability.ts';
import { createExtractor } from './extractor.ts';
import type { Extractor } from './port.ts';

/** Reads files of every format. */
export const extractorUse = capability<Extractor>(['files.extract'], ({ config }) =>
  createExtractor({ assetsDirectory: config.assetsDirectory }),
);
