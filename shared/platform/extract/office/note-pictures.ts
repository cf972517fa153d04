import type { OpenedFile } from '../format.ts';
import type { Archive } from '../containers/open-zip.ts';

const picture = /(?:^|\/)(?:media|Pictures)\/[^/]+\.(?:png|jpe?g|jfif|tiff?|webp|bmp|gif|emf|wmf)$/i;

// Smaller ones are logos, bullets and lines.
const leastBytes = 20 * 1024;

/** Says of an office document how many of its pictures may hold words that were not read. */
export const notePictures = (file: OpenedFile, { sizes }: Archive): OpenedFile => {
  const count = [...sizes].filter(([name, bytes]) => picture.test(name) && bytes >= leastBytes).length;
  if (count === 0) return file;
  const note =
    count === 1
      ? '1 picture in the document was not read; as a file of its own it would be.'
      : `${count} pictures in the document were not read; as files of their own they would be.`;
  return { ...file, notes: [...file.notes, note] };
};
