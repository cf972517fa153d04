import { openUnits, type FormatReader } from '../format.ts';
import { recordingSeconds } from './recording-length.ts';

const secondsOf = async (bytes: Uint8Array, mediaType: string): Promise<number | null> => {
  const { parseBuffer } = await import('music-metadata');
  try {
    const { format } = await parseBuffer(bytes, { mimeType: mediaType, size: bytes.length }, { skipCovers: true });
    return recordingSeconds(bytes, mediaType, format);
  } catch {
    // A recogniser may still make something of it.
    return null;
  }
};

/** Reads recordings of one kind: one part, with its length where the container tells it and may be believed. */
export const audioReader =
  (mediaType: string): FormatReader =>
  async ({ bytes }) => {
    const section = { pageStart: null, pageEnd: null, headingPath: [], place: {} };
    return openUnits([[{ kind: 'recording', mediaType, bytes, seconds: await secondsOf(bytes, mediaType), section }]]);
  };
