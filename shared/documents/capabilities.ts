import { removeJobsUses } from '../files/index.ts';
import { capability, type Deps } from '../kernel/capability.ts';
import { spendingWatch, subjectUsageWrite, usageWrite } from '../usage/index.ts';
import { contentWriter } from '../platform/aws/content.ts';
import { type DocumentStore, openDocumentStore } from './repository.ts';

export const documentsWrite = capability<DocumentStore>(['documents.read', 'documents.write'], openDocumentStore);

/** Capabilities that putting and removing documents need. */
export const documentUses = {
  ...removeJobsUses,
  content: contentWriter({ puts: ['uploads'], deletes: ['uploads', 'batches'] }),
  documents: documentsWrite,
  usage: usageWrite,
  subjectUsage: subjectUsageWrite,
  spending: spendingWatch,
};

export type DocumentDeps = Deps<typeof documentUses>;
