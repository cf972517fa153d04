import * as z from 'zod';
import { parseUploadKey } from '../../../shared/kernel/content-keys.ts';
import { worker } from '../../../shared/pipeline/worker.ts';
import { finishFailedPlan, planJob } from './steps/plan-job.ts';
import { planUses } from './uses.ts';

const StoredObject = z.object({ object: z.object({ key: z.string(), size: z.number().default(0) }) });

/** Notification of a bucket. The test message that S3 sends on configuration has no records. */
const ObjectsCreated = z.object({
  Records: z.array(z.object({ awsRegion: z.string(), s3: StoredObject })).default([]),
  /** Whether the message is in the group of its organization. A notification of a bucket has no group. */
  grouped: z.boolean().default(false),
});

/** Object keys in notifications are encoded like form fields. */
const decodeKey = (key: string): string => decodeURIComponent(key.replaceAll('+', ' '));

export const plan = worker({
  id: 'plan',
  summary: 'Turns an uploaded file into tasks',
  queue: 'plan',
  message: ObjectsCreated,
  // A key contains the ids of its job.
  about: ({ Records }) => ({ keys: Records.map(({ s3 }) => s3.object.key) }),
  uses: planUses,
  assets: ['readers'],
  attempts: 4,
  timeoutSeconds: 120,
  memoryMb: 3008,
  batchSize: 1,
  maxConcurrency: 50,
  handle: async ({ deliveries, deps, run }) => {
    for (const { message } of deliveries) {
      for (const { s3, awsRegion } of message.Records) {
        const key = decodeKey(s3.object.key);
        const address = parseUploadKey(key);
        if (address === null) continue;
        // Uploads of one organization must not delay those of others, whose notifications are behind them.
        if (message.grouped) await planJob({ deps, run }, address, awsRegion);
        else await deps.plans.send({ region: awsRegion, key, sizeBytes: s3.object.size }, address.organizationId);
      }
    }
    return [];
  },
  onExhausted: async ({ message, deps, run }) => {
    for (const { s3 } of message.Records) {
      const address = parseUploadKey(decodeKey(s3.object.key));
      if (address !== null) await finishFailedPlan({ deps, run }, address);
    }
  },
});
