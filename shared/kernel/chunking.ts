/** Bounds of the chunks of files, in characters. */
export interface Chunking {
  readonly size: number;
  /** Characters of the end of a chunk that the next one may repeat. */
  readonly overlap: number;
}

/** Whether two contents cut files by the same bounds. Null: those in the metadata of each file, or the default ones. */
export const isSameChunking = (one: Chunking | null, other: Chunking | null): boolean =>
  one?.size === other?.size && one?.overlap === other?.overlap;
