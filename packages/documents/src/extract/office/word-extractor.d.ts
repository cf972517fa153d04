// Types of the package's internal modules, which are missing in it.
declare module 'word-extractor/lib/word-ole-extractor.js' {
  import type { Document } from 'word-extractor';
  import type BufferReader from 'word-extractor/lib/buffer-reader.js';

  /** Piece of text with its character (cp) and byte positions in the document. */
  export interface Piece {
    text: string;
    length: number;
    startCp: number;
    endCp: number;
    readonly unicode: boolean;
    readonly startFilePos: number;
    readonly size: number;
    /** Bytes per character. */
    readonly bpc: number;
  }

  export default class WordOleExtractor {
    _pieces: Piece[];
    extract(reader: BufferReader): Promise<Document>;
    writePieces(document: Buffer, table: Buffer): void;
    writeCharacterProperties(document: Buffer, table: Buffer): void;
  }
}

declare module 'word-extractor/lib/buffer-reader.js' {
  export default class BufferReader {
    constructor(bytes: Buffer);
    buffer(): Buffer;
  }
}
