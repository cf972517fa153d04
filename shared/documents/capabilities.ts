import { filesWrite } from '../files/index.ts';
import { indexesRead, logSend } from '../indexes/index.ts';
import { capability, type Deps } from '../kernel/capability.ts';
import { contentWriter } from '../platform/aws/content.ts';
import { usageWrite } from '../usage/index.ts';
import { type DocumentStore, openDocumentStore } from './repository.ts';

export const documentsWrite = capability<DocumentStore>(['documents.read', 'documents.write'], openDocumentStore);

/** What putting documents into an index and taking them out may touch. */
export const documentUses = {
  documents: documentsWrite,
  files: filesWrite,
  indexes: indexesRead,
  log: logSend,
  content: contentWriter,
  usage: usageWrite,
};

export type DocumentDeps = Deps<typeof documentUses>;
