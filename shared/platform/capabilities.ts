import { capability } from '../kernel/capability.ts';
import { type ContentReader, type ContentWriter, openContentReader, openContentWriter } from './aws/objects.ts';
import { type EngineFor, openReaders, openWriters } from './engine/open.ts';
import type { EngineReader, EngineWriter } from './engine/port.ts';
import { createExtractor } from './extract/extractor.ts';
import type { Extractor } from './extract/port.ts';
import { createEmbeddedEmbedder } from './models/embedded.ts';
import type { Embedder } from './models/port.ts';

export const contentReader = capability<ContentReader>(['content.read'], openContentReader);
export const contentWriter = capability<ContentWriter>(['content.write'], openContentWriter);

/** The tables of an organization in this region, to search. */
export const engineRead = capability<EngineFor<EngineReader>>(['engine.read'], openReaders);
/** The tables of an organization in this region, to write. */
export const engineWrite = capability<EngineFor<EngineWriter>>(['engine.read', 'engine.write'], openWriters);

export const extractorUse = capability<Extractor>(['files.extract'], ({ config }) =>
  createExtractor({ assetsDirectory: config.assetsDirectory }),
);
export const embedderUse = capability<Embedder>(['models.embed'], ({ config }) =>
  createEmbeddedEmbedder({ assetsDirectory: config.assetsDirectory }),
);
