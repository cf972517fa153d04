import type { Document } from 'word-extractor';
import type { Piece } from 'word-extractor/lib/word-ole-extractor.js';
import { western } from '../text/code-pages.ts';

// Offsets in the document's header, and numbers of properties. Source: [MS-DOC].
const characterPagesAt = 0xfa;
const pageBytes = 512;
const markedDeleted = 0x0800;
const variable = 6;
const operandBytes = [1, 1, 2, 4, 2, 2, 0, 3];

/** Decodes single-byte text completely, and converts hyphens that are control characters. */
const decodePieces = (pieces: readonly Piece[], document: Buffer): void => {
  const decoder = new TextDecoder(western);
  let cp = 0;
  for (const piece of pieces) {
    const { unicode, startFilePos, size } = piece;
    const text = unicode ? piece.text : decoder.decode(document.subarray(startFilePos, startFilePos + size));
    // An optional hyphen becomes a NUL, which is dropped later. Dropped here, it would shift everything after it.
    piece.text = text.replaceAll('\u001E', '-').replaceAll('\u001F', '\0');
    piece.length = text.length;
    piece.startCp = cp;
    cp += text.length;
    piece.endCp = cp;
  }
};

const isDeleted = (properties: Buffer): boolean => {
  for (let at = 0; at + 2 < properties.length;) {
    const property = properties.readUInt16LE(at);
    const operand = properties.readUInt8(at + 2);
    if (property === markedDeleted && (operand & 1) === 1) return true;
    const kind = property >> 13;
    at += 2 + (kind === variable ? 1 + operand : (operandBytes[kind] ?? 0));
  }
  return false;
};

/** Marks the bytes of text whose deletion was tracked: runs in ascending order, listed on pages of their own. */
const deletedBytes = (document: Buffer, table: Buffer): Uint8Array => {
  const deleted = new Uint8Array(document.length);
  const start = document.readUInt32LE(characterPagesAt);
  const pages = Math.floor((document.readUInt32LE(characterPagesAt + 4) - 4) / 8);
  let done = 0;
  for (let index = 0; index < pages; index += 1) {
    const number = table.readUInt32LE(start + 4 * (pages + 1 + index));
    const page = document.subarray(number * pageBytes, (number + 1) * pageBytes);
    const runs = page.readUInt8(pageBytes - 1);
    for (let run = 0; run < runs; run += 1) {
      const at = 2 * page.readUInt8(4 * (runs + 1) + run);
      if (at === 0 || !isDeleted(page.subarray(at + 1, at + 1 + page.readUInt8(at)))) continue;
      const end = page.readUInt32LE(4 * (run + 1));
      deleted.fill(1, Math.max(done, page.readUInt32LE(4 * run)), Math.max(done, end));
      done = Math.max(done, end);
    }
  }
  return deleted;
};

const blankDeleted = (pieces: readonly Piece[], deleted: Uint8Array): void => {
  for (const piece of pieces) {
    const marks = deleted.subarray(piece.startFilePos, piece.startFilePos + piece.size);
    if (!marks.includes(1)) continue;
    piece.text = piece.text.replace(/[^]/g, (letter, at: number) => (marks[at * piece.bpc] === 1 ? '\0' : letter));
  }
};

/**
 * Opens DOC of Word 97 to 2003. Two steps of the package are replaced, because it has two faults. It reads 5 bits of a
 * property's number in place of 9, so it treats some letter spacing as deletion. And it writes "undefined" for optional
 * hyphens and for bytes such as the euro sign.
 */
export const openWordDocument = async (bytes: Uint8Array): Promise<Document> => {
  const { default: WordOleExtractor } = await import('word-extractor/lib/word-ole-extractor.js');
  const { default: BufferReader } = await import('word-extractor/lib/buffer-reader.js');
  class Extractor extends WordOleExtractor {
    override writePieces(document: Buffer, table: Buffer): void {
      super.writePieces(document, table);
      decodePieces(this._pieces, document);
    }

    override writeCharacterProperties(document: Buffer, table: Buffer): void {
      blankDeleted(this._pieces, deletedBytes(document, table));
    }
  }
  return new Extractor().extract(new BufferReader(Buffer.from(bytes)));
};
