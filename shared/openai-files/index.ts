export type { Attachment, FileAttributes, FileBatch, StoredFile } from './record.ts';
export { type OpenaiFiles, openaiFiles } from './repository.ts';
