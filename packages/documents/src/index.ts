export { readerFiles, readerProcess } from './extract/assets.ts';
export {
  areWhole,
  type CutPart,
  cutPartAgain,
  packCutPart,
  type PlacedChunk,
  placeChunks,
  unpackCutPart,
} from './command/cut-part.ts';
export { composeText, toMarkdown, type FileText } from './command/file-text.ts';
export { readDocument } from './command/read-document.ts';
export { extractorUse, pageRendererUse } from './extract/capability.ts';
export {
  chunkLimitsOf,
  chunkOptionBounds,
  chunkProblems,
  limitsOfChunking,
  maxOverlapOf,
  nearestChunkOptions,
  usualOverlapOf,
} from './extract/chunk/chunk-options.ts';
export { type ChunkLimits, chunkSections, cutSections } from './extract/chunk/chunk.ts';
export { createExtractor } from './extract/extractor.ts';
export { formats, isPicture, mediaTypeOf, type Format } from './extract/formats.ts';
export { surveyExtent, type Extent } from './extract/html/page-extent.ts';
export { shownName } from './extract/html/tag-names.ts';
export { unpackUnits } from './extract/pack-parts.ts';
export { encodePng } from './extract/pdf/encode-png.ts';
export { pdfReader } from './extract/pdf/read-pdf.ts';
export {
  UnitsChanged,
  UnreadableFile,
  type Chunk,
  type CountedRange,
  type DrawnPage,
  type Extractor,
  type Inspection,
  type PageRequest,
  type Part,
  type Picture,
  type Recording,
  type Region,
  type Section,
  type SourceFile,
  type Span,
  type StoredRow,
} from './extract/port.ts';
export { createFileOpener } from './extract/read-file.ts';
export { refusedFormats } from './extract/refused-formats.ts';
export { decodeText } from './extract/text/decode-text.ts';
export { ownTesseractFiles, tesseractFiles, tesseractWorker } from './ocr/assets.ts';
export { ocrEnabled, ocrUse } from './ocr/capability.ts';
export { DelayedPicture, UnreadablePicture, type OcrModel } from './ocr/port.ts';
export { createTesseractOcr } from './ocr/tesseract.ts';
export { transcriptionProcess } from './transcribe/assets.ts';
export { transcriberUse } from './transcribe/capability.ts';
export { StillTranscribing, UnusableRecording, type Transcriber, type Utterance } from './transcribe/port.ts';
