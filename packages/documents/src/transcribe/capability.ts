import { join } from 'node:path';
import { capability } from '../../../../shared/kernel/capability.ts';
import { bucketName, transcriptionJobPrefix } from '../../../../shared/kernel/names.ts';
import { openContentReader } from '../../../../shared/platform/aws/objects.ts';
import { transcriptionProcess } from './assets.ts';
import { createFolderTranscriber } from './model-folder.ts';
import type { Transcriber } from './port.ts';
import { createAmazonTranscriber } from './transcribe.ts';

/**
 * Transcribes recordings; null if transcription is off in this deployment. The model reads recordings and writes
 * transcripts beside the batches of the content bucket, with the permissions of the function.
 */
export const transcriberUse = capability<Transcriber | null>(
  ['models.transcribe', 'batches.read', 'batches.put'],
  (runtime) => {
    const { deployment, accountId, assetsDirectory, models } = runtime.config;
    const content = openContentReader(runtime);
    switch (models.audioProvider) {
      case 'off':
        return null;
      case 'model-folder':
        return createFolderTranscriber({
          folder: models.speechModelDirectory,
          content,
          processPath: join(assetsDirectory, transcriptionProcess),
        });
      case 'transcribe':
        return createAmazonTranscriber({
          content,
          bucket: (region) => bucketName(deployment, 'content', accountId, region),
          jobPrefix: transcriptionJobPrefix(deployment),
          clock: runtime.clock,
        });
    }
  },
);
