import { setTimeout as pause } from 'node:timers/promises';
import type { MediaFormat, TranscribeClient, TranscriptionJob } from '@aws-sdk/client-transcribe';
import type { Clock } from '../../../../shared/kernel/clock.ts';
import { lazy, memoizePerKey } from '../../../../shared/kernel/memoize.ts';
import type { ContentReader } from '../../../../shared/platform/aws/objects.ts';
import { createCaller, defaultCallPolicy, sdkFault } from '../../../../shared/platform/models/call-model.ts';
import { StillTranscribing, type StoredRecording, type Transcriber, UnusableRecording } from './port.ts';
import { readTranscript } from './read-transcript.ts';

const requestTimeoutMs = 10_000;

/** https://docs.aws.amazon.com/transcribe/latest/dg/how-input.html */
const formats: Readonly<Record<string, MediaFormat>> = {
  'audio/wav': 'wav',
  'audio/x-wav': 'wav',
  'audio/vnd.wave': 'wav',
  'audio/mpeg': 'mp3',
  'audio/mp3': 'mp3',
  'audio/mp4': 'm4a',
  'audio/x-m4a': 'm4a',
  'audio/ogg': 'ogg',
  'audio/flac': 'flac',
  'audio/x-flac': 'flac',
  'audio/webm': 'webm',
};

const startInput = (recording: StoredRecording, name: string, bucket: string) => {
  const MediaFormat = formats[recording.mediaType.split(';')[0]?.trim() ?? ''];
  if (MediaFormat === undefined)
    throw new UnusableRecording(`A recording of the type ${recording.mediaType} cannot be transcribed`);
  return {
    TranscriptionJobName: name,
    IdentifyLanguage: true,
    MediaFormat,
    Media: { MediaFileUri: `s3://${bucket}/${recording.key}` },
    OutputBucketName: bucket,
    OutputKey: `${recording.key}.json`,
  };
};

interface TranscribeOptions {
  readonly content: ContentReader;
  /** Returns the name of a region's content bucket. */
  readonly bucket: (region: string) => string;
  /** Prefix of every job's name. */
  readonly jobPrefix: string;
  readonly clock: Clock;
  /** Milliseconds between two polls of a job. */
  readonly pollMs?: number;
}

/** Opens the requests to Amazon Transcribe in one region. */
const openJobs = (region: string, clock: Clock) => {
  const call = createCaller(defaultCallPolicy);
  const connect = lazy(async () => {
    const { TranscribeClient } = await import('@aws-sdk/client-transcribe');
    return new TranscribeClient({ region, maxAttempts: 1 });
  });
  const request = <Result>(send: (client: TranscribeClient, abortSignal: AbortSignal) => Promise<Result>) =>
    call(async () => {
      const client = await connect();
      return send(client, AbortSignal.timeout(requestTimeoutMs)).catch((error: unknown) => {
        throw sdkFault('Transcribe', error, clock.now());
      });
    });
  return {
    start: async (input: ReturnType<typeof startInput>): Promise<void> => {
      const { ConflictException, StartTranscriptionJobCommand } = await import('@aws-sdk/client-transcribe');
      await request((client, abortSignal) =>
        client.send(new StartTranscriptionJobCommand(input), { abortSignal }).catch((error: unknown) => {
          // An earlier attempt has started the job.
          if (!(error instanceof ConflictException)) throw error;
        }),
      );
    },
    get: async (TranscriptionJobName: string): Promise<TranscriptionJob> => {
      const { GetTranscriptionJobCommand } = await import('@aws-sdk/client-transcribe');
      const command = new GetTranscriptionJobCommand({ TranscriptionJobName });
      const { TranscriptionJob } = await request((client, abortSignal) => client.send(command, { abortSignal }));
      return TranscriptionJob ?? {};
    },
    forget: async (TranscriptionJobName: string): Promise<void> => {
      const { DeleteTranscriptionJobCommand } = await import('@aws-sdk/client-transcribe');
      const command = new DeleteTranscriptionJobCommand({ TranscriptionJobName });
      // Transcribe deletes it after 90 days in any case.
      await request((client, abortSignal) => client.send(command, { abortSignal })).catch(() => {});
    },
  };
};

type Jobs = ReturnType<typeof openJobs>;

const waitForEnd = async (jobs: Jobs, name: string, waitMs: number, pollMs: number): Promise<void> => {
  const deadline = performance.now() + waitMs;
  for (;;) {
    const { TranscriptionJobStatus: status, FailureReason: reason } = await jobs.get(name);
    if (status === 'COMPLETED') return;
    if (status === 'FAILED') {
      await jobs.forget(name);
      throw new UnusableRecording(
        `A recording could not be transcribed: ${(reason ?? 'no reason given').slice(0, 200)}`,
      );
    }
    if (performance.now() + pollMs > deadline) throw new StillTranscribing();
    await pause(pollMs);
  }
};

/**
 * Creates a transcriber on Amazon Transcribe: one job for each recording, which it reads from the region's content
 * bucket. It writes the transcript beside it. Repeated calls start a job once.
 * https://docs.aws.amazon.com/transcribe/latest/APIReference/API_StartTranscriptionJob.html
 */
export const createAmazonTranscriber = ({
  content,
  bucket,
  jobPrefix,
  clock,
  pollMs = 3_000,
}: TranscribeOptions): Transcriber => {
  const jobsIn = memoizePerKey((region: string) => openJobs(region, clock));
  return {
    transcribe: async (recording, waitMs) => {
      const { region, id, key } = recording;
      const jobs = jobsIn(region);
      const name = `${jobPrefix}${id}`;
      await jobs.start(startInput(recording, name, bucket(region)));
      await waitForEnd(jobs, name, waitMs, pollMs);
      const transcript = await content.get(region, `${key}.json`);
      if (transcript === null) throw new Error(`the transcript of ${name} is not in the bucket`);
      const spoken = readTranscript(JSON.parse(new TextDecoder().decode(transcript)));
      await jobs.forget(name);
      return spoken;
    },
  };
};
