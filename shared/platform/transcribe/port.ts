/** A stretch of what was said. */
export interface Utterance {
  readonly text: string;
  /** From the start of the recording. */
  readonly startSeconds: number;
  readonly endSeconds: number;
}

/** A recording in the content bucket of a region. */
export interface StoredRecording {
  readonly region: string;
  /** Where the recording lies; what the model writes goes beside it. */
  readonly key: string;
  readonly mediaType: string;
  /** Names the work: a second call with the same id waits for the first one's model run and starts none. */
  readonly id: string;
}

/** Why no further attempt would write down a recording; the message is shown to the user. */
export class UnusableRecording extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'UnusableRecording';
  }
}

/** The model still works; ask again later with the same id. */
export class StillTranscribing extends Error {
  constructor() {
    super('the recording is still being transcribed');
    this.name = 'StillTranscribing';
  }
}

/** A model that writes down what is said. */
export interface Transcriber {
  /**
   * What is said, in order. Waits at most `waitMs`; throws `StillTranscribing` then, `UnusableRecording`, or what
   * another attempt may mend.
   */
  transcribe(recording: StoredRecording, waitMs: number): Promise<readonly Utterance[]>;
}
