export { createImport, createImportUses } from './create.ts';
export { GoogleCredentials, visibleText } from './credentials.ts';
export { importsWrite } from './repository.ts';
export { RemoteFileImport } from './schemas.ts';
