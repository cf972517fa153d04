import type { OpenedFile } from '../format.ts';
import type { Archive } from '../containers/open-zip.ts';

const picture = /(?:^|\/)(?:media|Pictures)\/[^/]+\.(?:png|jpe?g|jfif|tiff?|webp|bmp|gif|emf|wmf)$/i;

// Smaller pictures are logos, bullets and lines.
const minBytes = 20 * 1024;

/** Adds a note to an office document that counts the pictures whose text was not read. */
export const noteUnreadPictures = (file: OpenedFile, { sizes }: Archive): OpenedFile => {
  const count = [...sizes].filter(([name, bytes]) => picture.test(name) && bytes >= minBytes).length;
  if (count === 0) return file;
  const note =
    count === 1
      ? '1 picture in the document was not read; upload it as a file of its own to have it read.'
      : `${count} pictures in the document were not read; upload them as files of their own to have them read.`;
  return { ...file, notes: [...file.notes, note] };
};
