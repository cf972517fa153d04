import { AppError } from '../../../../shared/kernel/errors.ts';
import { isTransientSdkError } from '../../../../shared/kernel/sdk-error.ts';
import { isPassingStorageError } from '../../../../shared/platform/engine/lance/storage-error.ts';

/** Whether a change failed because a table, queue or bucket was throttled or unavailable. */
export const isTransient = (error: unknown): boolean =>
  isTransientSdkError(error) ||
  isPassingStorageError(error) ||
  (error instanceof AppError && (error.code === 'unavailable' || isTransient(error.cause)));
