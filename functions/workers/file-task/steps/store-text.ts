import { partSectionsKey, taskTextKey, type StoredText } from '../../../../shared/files/index.ts';
import { textFormats } from '../../../../shared/kernel/content-keys.ts';
import { lengthOf } from '../../../../shared/kernel/text.ts';
import { type CutPart, type FileText, packCutPart } from '#documents';
import type { TaskContext } from '../uses.ts';
import type { Claim } from './claim-task.ts';

/** Returns the part of the file that is the range of a task. */
export const partOfTask = ({ task }: Claim) => ({
  continues: task.ordinal > 1,
  pageStart: task.paged ? task.unitStart : null,
  pageEnd: task.paged ? task.unitEnd : null,
});

const mediaTypes = { markdown: 'text/markdown; charset=utf-8', text: 'text/plain; charset=utf-8' } as const;

/**
 * Stores the text of a task beside the original, with which it is deleted, and the sections that it was cut from. Each attempt
 * writes the same objects.
 */
export const storeText = async (
  { deps }: TaskContext,
  { index, job, task }: Claim,
  fileText: FileText,
  part: CutPart | null,
): Promise<StoredText> => {
  const [markdownBytes = 0, textBytes = 0] = await Promise.all(
    textFormats.map(async (format) => {
      const bytes = new TextEncoder().encode(fileText[format]);
      const key = taskTextKey(job, task.ordinal, format);
      if (bytes.length > 0) await deps.stored.put(index.region, key, bytes, mediaTypes[format]);
      return bytes.length;
    }),
  );
  const sections = part === null ? null : packCutPart(part);
  if (sections !== null) {
    const key = partSectionsKey(job, { jobId: job.id, ordinal: task.ordinal });
    await deps.stored.put(index.region, key, sections, 'application/zstd');
  }
  return {
    length: lengthOf(fileText.text),
    textBytes,
    markdownBytes,
    ...(sections === null ? {} : { sectionsBytes: sections.length }),
  };
};
