import { capability } from '../../kernel/capability.ts';
import { bucketName, transcriptionJobPrefix } from '../../kernel/names.ts';
import { openContentReader } from '../aws/objects.ts';
import type { Transcriber } from './port.ts';
import { createTranscribe } from './transcribe.ts';

/**
 * Writes down recordings; null where the deployment is set up without. The model reads and writes the content bucket with
 * the rights of the function.
 */
export const transcriberUse = capability<Transcriber | null>(
  ['models.transcribe', 'content.read', 'content.write'],
  (runtime) => {
    const { deployment, accountId, models } = runtime.config;
    return models.audioProvider === 'off'
      ? null
      : createTranscribe({
          content: openContentReader(runtime),
          bucket: (region) => bucketName(deployment, 'content', accountId, region),
          jobPrefix: transcriptionJobPrefix(deployment),
        });
  },
);
