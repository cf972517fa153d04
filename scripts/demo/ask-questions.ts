import * as z from 'zod';
import type { Service } from './service.ts';

const Answer = z.object({
  results: z.array(
    z.object({
      score: z.number(),
      text: z.string().nullable(),
      file: z
        .object({ filename: z.string().nullable(), page_start: z.number().nullable(), page_end: z.number().nullable() })
        .nullable(),
    }),
  ),
  took_ms: z.number(),
});

const modes = ['dense', 'sparse', 'hybrid'] as const;
const shownCharacters = 150;

const pagesOf = (file: z.infer<typeof Answer>['results'][number]['file']): string => {
  if (file?.page_start == null) return file?.filename ?? '';
  return file.page_start === file.page_end ? `page ${file.page_start}` : `pages ${file.page_start} to ${file.page_end}`;
};

const excerpt = (text: string | null): string => {
  const line = (text ?? '').replaceAll(/\s+/g, ' ').trim();
  return line.length <= shownCharacters ? line : `${line.slice(0, shownCharacters)}…`;
};

/** Asks each question in all three ways and prints the best hit of each. */
export const askQuestions = async (service: Service, indexId: string, questions: readonly string[]): Promise<void> => {
  for (const text of questions) {
    console.log(`\n  ${text}`);
    for (const mode of modes) {
      const { results, took_ms } = await service.ask('POST', `/v1/indexes/${indexId}/search/${mode}`, Answer, {
        text,
        top_k: 3,
      });
      const [best] = results;
      const where = best === undefined ? 'nothing found' : pagesOf(best.file);
      console.log(`    ${mode.padEnd(6)} ${where.padEnd(16)} ${took_ms} ms  ${excerpt(best?.text ?? null)}`);
    }
  }
};

/** A question about a file that nobody has prepared one for: the opening words of a passage from its middle. */
export const questionFrom = async (service: Service, indexId: string): Promise<string> => {
  const Rows = z.array(z.object({ text: z.string().nullable() }));
  const rows = await service.ask('GET', `/v1/indexes/${indexId}/vectors?limit=1000`, Rows);
  const text = rows[Math.floor(rows.length / 2)]?.text ?? '';
  return text.replaceAll(/\s+/g, ' ').trim().split(' ').slice(0, 12).join(' ');
};
