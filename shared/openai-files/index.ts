export type { Attachment, FileAttributes, FileBatch, StoredFile, Upload } from './record.ts';
export { type OpenaiFiles, openaiFiles } from './repository.ts';
export { maxParts, openaiUploads, type Uploads, uploadsSweep } from './uploads.ts';
