import { openUnits, type FormatReader } from '../format.ts';
import { recordingSeconds } from './recording-length.ts';

const secondsOf = async (bytes: Uint8Array, mediaType: string): Promise<number | null> => {
  const { parseBuffer } = await import('music-metadata');
  try {
    const { format } = await parseBuffer(bytes, { mimeType: mediaType, size: bytes.length }, { skipCovers: true });
    return recordingSeconds(bytes, mediaType, format);
  } catch {
    // The model may still be able to transcribe it.
    return null;
  }
};

/** Reads recordings of one kind: one part, with its length if the container states a plausible one. */
export const audioReader =
  (mediaType: string): FormatReader =>
  async ({ bytes }) => {
    const section = { pageStart: null, pageEnd: null, headingPath: [], place: {} };
    return openUnits([[{ kind: 'recording', mediaType, bytes, seconds: await secondsOf(bytes, mediaType), section }]]);
  };
