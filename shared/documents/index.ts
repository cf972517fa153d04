export { type DocumentDeps, documentsWrite, documentUses } from './capabilities.ts';
export { putDocument, type SourceDocument } from './put.ts';
export type { Owner, Source } from './record.ts';
export { countUnseen, removeAll, removeDocument, removeUnseen } from './remove.ts';
