export { chunkId, chunkPrefix, type FilePart, partOfChunk, rowOfChunk } from './chunk-rows.ts';
export { Citation, citationExample } from './citation-schemas.ts';
export { openCitations } from './cite.ts';
export { filesRead, filesWrite } from './repository.ts';
export { beginJob, enqueueJob } from './begin-job.ts';
export {
  cancelIfOpen,
  cancelJob,
  cleanUpEndedJob,
  closeJob,
  completeJob,
  endLateTasks,
  expireJob,
  failJob,
  replacementInProgress,
  requestRowRemoval,
  supersedeJob,
} from './end-job.ts';
export {
  endedWithoutContent,
  isCompleted,
  isOpen,
  jobStates,
  keepsOriginal,
  needsCleanup,
  statusesWithRows,
} from './job-state.ts';
export { newJob, newTask, unknownType } from './new-job.ts';
export { jobAddressIn, planSend, taskAddressIn, TaskMessage, taskMessageOf, tasksSend } from './messages.ts';
export { isUploadOver, jobAddressAt } from './overdue.ts';
export { toJobResponse, toProcessing, toTaskResponse } from './present.ts';
export type { JobAddress, JobRecord, StoredText, StoredUnits, TaskAddress, TaskCredits, TaskRecord } from './record.ts';
export { addressOfJob, bytesOfText, expiryOfJob, isOpenTask, noCredits, ordinalText } from './record.ts';
export { beginRemoval, purgeJob, resumeRemoval, removeJobs, removeJobsUses } from './remove-jobs.ts';
export { requireCitedJob, requireJob, requireStoredJob } from './require.ts';
export { partLengths } from './part-lengths.ts';
export { fileTextUses, readFileText } from './file-text.ts';
export { pagePictureUses, PictureQuery, pictureWeight, readPagePicture } from './page-picture.ts';
export {
  downloadSeconds,
  FileDownload,
  FileJobResponse,
  FileListQuery,
  FileTaskResponse,
  FileTextFormat,
  FileTextResponse,
} from './schemas.ts';
export { sourceFileOf } from './source-file.ts';
export {
  addCopy,
  addCopyUses,
  addText,
  addTextUses,
  requireAllowedSize,
  reserveJob,
  startReplacement,
  startUpload,
  startUploadUses,
} from './start-upload.ts';
export { quotaJobOf, quotaTaskOf, quotaUsedBy, settleEndedTasks } from './task-quota.ts';
export { retryJob, retryJobUses } from './retry-job.ts';
export {
  batchKey,
  FileReplacement,
  FileUploadCreate,
  FileUploadResponse,
  SourceMetadata,
  partSectionsKey,
  taskTextKey,
  unitsKey,
} from './upload.ts';
