import { capability } from '../../kernel/capability.ts';
import { type EngineFor, openReaders, openWriters } from './open.ts';
import type { EngineReader, EngineWriter } from './port.ts';

/** The tables of an organization in this region, to search. */
export const engineRead = capability<EngineFor<EngineReader>>(['engine.read'], openReaders);
/** The tables of an organization in this region, to write. */
export const engineWrite = capability<EngineFor<EngineWriter>>(['engine.read', 'engine.write'], openWriters);
