export { filesRead, filesWrite } from './capabilities.ts';
export { completeJob, failJob } from './finish.ts';
export { TaskMessage, tasksSend } from './messages.ts';
export { toJobResponse, toProcessing, toTaskResponse } from './present.ts';
export type { JobAddress, JobRecord, TaskAddress, TaskRecord } from './record.ts';
export { requireJob } from './require.ts';
export { FileJobResponse, FileTaskResponse } from './schemas.ts';
export { startUpload } from './start-upload.ts';
export { FileUploadCreate, FileUploadResponse, parseUploadKey, uploadSeconds } from './upload.ts';
