/** Box of a text from a position on, until the next one, in shares of the picture from its top left corner. */
export interface LinePlace {
  /** In UTF-16 code units. */
  readonly at: number;
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** Text of a picture. */
export interface OcrResult {
  /** Lines in reading order; empty if the picture has no text. */
  readonly text: string;
  /** Confidence of the model in the text as a whole, 0 to 1. */
  readonly confidence: number;
  /** Whether the picture contains letters that the model could not read. */
  readonly isPartial?: boolean;
  /** Places of its lines. */
  readonly places?: readonly LinePlace[];
  /** Whether it has text in a script that the model does not know. That text is missing. */
  readonly isForeign?: boolean;
  /** Name of that script, such as `Thai`, if it was detected. */
  readonly script?: string;
}

/** Picture of at most 10 MB and 25 megapixels. It states its resolution if that is known. */
export interface PictureFile {
  readonly mediaType: 'image/png' | 'image/jpeg';
  readonly bytes: Uint8Array;
}

/** Error of a picture that no retry can read. The message is for the user. */
export class UnreadablePicture extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'UnreadablePicture';
  }
}

/** Error of a picture for which the machine had no time. It may be read later. */
export class DelayedPicture extends UnreadablePicture {
  constructor(message: string) {
    super(message);
    this.name = 'DelayedPicture';
  }
}

/** OCR model. Throws `UnreadablePicture`, or an error that a retry may fix. */
export interface OcrModel {
  /** Maximum pictures that are worth reading at a time. */
  readonly concurrency: number;
  recognize(picture: PictureFile): Promise<OcrResult>;
}
