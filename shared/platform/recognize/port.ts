/** What stands on a picture. */
export interface Recognition {
  /** Lines in reading order; empty where the picture has no text. */
  readonly text: string;
  /** 0 to 1: how sure the model is of the text as a whole. */
  readonly confidence: number;
}

/** One picture, at most 10 MB and 25 megapixels. */
export interface PictureFile {
  readonly mediaType: 'image/png' | 'image/jpeg';
  readonly bytes: Uint8Array;
}

/** Why no further attempt would read a picture; the message is shown to the user. */
export class UnreadablePicture extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'UnreadablePicture';
  }
}

/** A model that reads the text of pictures. Throws `UnreadablePicture`, or what another attempt may mend. */
export interface Recognizer {
  /** Most pictures that are worth reading at a time. */
  readonly concurrency: number;
  recognize(picture: PictureFile): Promise<Recognition>;
}
