/** Part of a transcript. */
export interface Utterance {
  /** Empty for sound in which the model recognized no words. */
  readonly text: string;
  /** Seconds from the start of the recording. */
  readonly startSeconds: number;
  readonly endSeconds: number;
}

/** A recording in the content bucket of a region. */
export interface StoredRecording {
  readonly region: string;
  /** Key of the recording. The model writes beside it. */
  readonly key: string;
  readonly mediaType: string;
  /** Idempotency key: a second call with the same id waits for the first model run and starts none. */
  readonly id: string;
}

/** Error of a recording that no retry can transcribe. The message is for the user. */
export class UnusableRecording extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'UnusableRecording';
  }
}

/** Error: the model is still working. Call again later with the same id. */
export class StillTranscribing extends Error {
  constructor() {
    super('the recording is still being transcribed');
    this.name = 'StillTranscribing';
  }
}

/** Speech-to-text model. */
export interface Transcriber {
  /**
   * Returns the transcript in order. Waits at most `waitMs`, then throws `StillTranscribing`. Throws
   * `UnusableRecording`, or an error that a retry may fix.
   */
  transcribe(recording: StoredRecording, waitMs: number): Promise<readonly Utterance[]>;
}
