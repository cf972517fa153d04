import * as z from 'zod';
import { whenObject } from '../http/schema-helpers.ts';
import { FilterSchema } from '#engine';

/** Limits of a golden set. They bound the work of its evaluation. */
export const maxQuestions = 5_000;
export const maxRelevant = 100;
const maxGrade = 10;
/** Relevant items of a set together, since each may have to be looked up. */
export const maxItems = 10_000;
const maxTextCharacters = 8_192;

const RelevantItem = z
  .strictObject({
    id: z.string().min(1).max(512).optional().describe('Id of a row.'),
    document: z.string().min(1).max(1_024).optional().describe('Id of a file job, or name of its file: any row of it.'),
    text: z
      .string()
      .min(1)
      .max(maxTextCharacters)
      .optional()
      .describe('Text of a passage: the row whose text has 80 % of its words.'),
    grade: z.int().min(0).max(maxGrade).default(1).describe('Relevance: 0 is none. Default 1.'),
  })
  .refine(({ id, document, text }) => [id, document, text].filter((given) => given !== undefined).length === 1, {
    error: 'give one of id, document and text',
    when: whenObject,
  })
  .meta({ id: 'RelevantItem', description: 'What a question should find, by one of id, document and text.' });

export const GoldenQuestion = z
  .strictObject({
    query: z.string().min(1).max(maxTextCharacters).describe('The question.'),
    filter: FilterSchema.nullish().describe('Filter of the question, besides that of the search.'),
    relevant: z.array(RelevantItem).min(1).max(maxRelevant).describe('What it should find.'),
  })
  .meta({
    id: 'GoldenQuestion',
    description: 'A question with what it should find.',
    examples: [{ query: 'How hot should water for tea be?', relevant: [{ id: 'tea', grade: 2 }] }],
  });

export const GoldenQuestions = z
  .array(GoldenQuestion)
  .min(1)
  .max(maxQuestions)
  .refine((questions) => questions.reduce((sum, { relevant }) => sum + relevant.length, 0) <= maxItems, {
    error: `a golden set has at most ${maxItems} relevant items`,
  })
  .meta({
    id: 'GoldenQuestions',
    description: 'Questions of a golden set.',
    examples: [[{ query: 'How hot should water for tea be?', relevant: [{ id: 'tea', grade: 2 }] }]],
  });

export type GoldenQuestion = z.output<typeof GoldenQuestion>;

/** Returns questions as JSON Lines. Grades are always written, so that equal sets have equal lines. */
export const toLines = (questions: readonly GoldenQuestion[]): string =>
  questions
    .map(
      ({ query, filter, relevant }) =>
        `${JSON.stringify({ query, ...(filter == null ? {} : { filter }), relevant })}\n`,
    )
    .join('');

/** Reads the lines that `toLines` wrote. */
export const fromLines = (lines: string): readonly GoldenQuestion[] =>
  lines
    .split('\n')
    .filter((line) => line !== '')
    // Cast: `toLines` wrote the line.
    .map((line) => JSON.parse(line) as GoldenQuestion);
