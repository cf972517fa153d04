import { join } from 'node:path';
import { capability } from '../../../../shared/kernel/capability.ts';
import { readerProcess } from './assets.ts';
import { createExtractor } from './extractor.ts';
import type { Extractor, PageRenderer } from './port.ts';

/** Seconds of the drawing of a page, for which a request waits. */
const drawingSeconds = 20;

/** Draws pages of files for people. */
export const pageRendererUse = capability<PageRenderer>(['files.extract'], ({ config: { assetsDirectory } }) =>
  createExtractor({
    assetsDirectory,
    processPath: join(assetsDirectory, readerProcess.file),
    timeoutSeconds: drawingSeconds,
  }),
);

/** Reads files of every format. */
export const extractorUse = capability<Extractor>(['files.extract'], ({ config: { assetsDirectory } }) =>
  createExtractor({ assetsDirectory, processPath: join(assetsDirectory, readerProcess.file) }),
);
