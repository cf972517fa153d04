export { createExport, createExportUses, exportFiles, partFilename, requireExport } from './create.ts';
export { exportAddressIn, ExportMessage, exportsSend } from './message.ts';
export { addressOfExport, type ExportAddress, exportAddressAt, type ExportPart, type ExportRecord } from './record.ts';
export { exportsRead, exportsWrite } from './repository.ts';
export { jsonLinesFile, mediaTypes, type RowFile } from './row-file.ts';
export { exportStore } from './store.ts';
export { ExportCreate, ExportReport, ExportResponse, toExportResponse } from './schemas.ts';
