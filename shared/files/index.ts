export { filesRead, filesWrite } from './capabilities.ts';
export { closeEnded, closeLateTasks, endedEmpty, isLeftOpen } from './close-ended.ts';
export { completeJob, failJob } from './finish.ts';
export { newJob, newTask, unknownType } from './new-job.ts';
export { jobAddressIn, planSend, taskAddressIn, TaskMessage, taskMessageOf, tasksSend } from './messages.ts';
export { isUploadOver, jobAddressAt } from './overdue.ts';
export { toJobResponse, toProcessing, toTaskResponse } from './present.ts';
export type { JobAddress, JobRecord, StoredUnits, TaskAddress, TaskCredits, TaskRecord } from './record.ts';
export {
  addressOfJob,
  isCompleted,
  isOpen,
  isOpenTask,
  keepsOriginal,
  noCredits,
  ordinalText,
  standingStatuses,
} from './record.ts';
export { forgetJob, goOnRemoving, removeJobs, removeJobsUses } from './remove-jobs.ts';
export { requireJob, requireStoredJob } from './require.ts';
export { FileJobResponse, FileTaskResponse } from './schemas.ts';
export { sourceFileOf } from './source-file.ts';
export { reserveJob, startUpload, startUploadUses } from './start-upload.ts';
export { quotaJobOf, quotaTaskOf, quotaUsedBy, settleEndedTasks } from './task-quota.ts';
export { takeBackRows } from './take-back-rows.ts';
export { cancelJob, settleJob, takesPlace } from './cancel.ts';
export { batchKey, FileUploadCreate, FileUploadResponse, unitsKey } from './upload.ts';
