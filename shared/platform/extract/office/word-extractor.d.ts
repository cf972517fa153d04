// What is used of the package's inner modules, whose types tell of the outermost class alone.
declare module 'word-extractor/lib/word-ole-extractor.js' {
  import type { Document } from 'word-extractor';
  import type BufferReader from 'word-extractor/lib/buffer-reader.js';

  /** A stretch of text, with its place among the characters (cp) and among the bytes of the document. */
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
