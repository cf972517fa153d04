import { capability } from '../kernel/capability.ts';
import type { IndexReader, IndexWriter } from './contracts.ts';
import { openIndexReader, openIndexWriter } from './repository.ts';

export const indexesRead = capability<IndexReader>(['indexes.read'], openIndexReader);
export const indexesWrite = capability<IndexWriter>(['indexes.read', 'indexes.write'], openIndexWriter);
