export { createImport, createImportUses } from './create.ts';
export { importsCopy, importsSweep } from './copier.ts';
export { exportPartOf } from './export-part.ts';
export { ImportMessage, importsSend } from './message.ts';
export { type CopyProgress, importAddressAt, type ImportAddress, type StoredImport } from './record.ts';
export { importsWrite } from './repository.ts';
export { RemoteFileImport } from './schemas.ts';
export { sourceOf } from './source.ts';
