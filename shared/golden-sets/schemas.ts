import * as z from 'zod';
import { exampleTime } from '../http/examples.ts';
import { ParsedObject } from '../kernel/json-schema.ts';
import type { GoldenSet } from './repository.ts';

export const GoldenSetResponse = z
  .object({
    name: z.string().describe('Name of the golden set.'),
    version: z.int().describe('Number of the version, from 1.'),
    questions: z.int().describe('Questions of the version.'),
    relevant: z.int().describe('What they should find, together.'),
    size_bytes: z.int().describe('Bytes of the version.'),
    created_at: z.iso.datetime().describe('Time of the version.'),
  })
  .meta({
    id: 'GoldenSetResponse',
    description: 'A version of a golden set.',
    examples: [
      { name: 'questions', version: 2, questions: 120, relevant: 180, size_bytes: 24_000, created_at: exampleTime },
    ],
  });

const StoredItem = z
  .object({
    id: z.string().optional().describe('Id of a row.'),
    document: z.string().optional().describe('Id of a file job, or name of its file.'),
    text: z.string().optional().describe('Text of a passage.'),
    grade: z.int().describe('Relevance: 0 is none.'),
  })
  .meta({ id: 'StoredRelevantItem', description: 'What a question should find, by one of id, document and text.' });

export const StoredQuestion = z
  .object({
    query: z.string().describe('The question.'),
    filter: ParsedObject.optional().describe('Filter of the question, if it has one.'),
    relevant: z.array(StoredItem).describe('What it should find.'),
  })
  .meta({
    id: 'StoredQuestion',
    description: 'A question of a golden set.',
    examples: [{ query: 'How hot should water for tea be?', relevant: [{ id: 'tea', grade: 2 }] }],
  });

export const toGoldenSetResponse = (found: GoldenSet): z.input<typeof GoldenSetResponse> => ({
  name: found.name,
  version: found.version,
  questions: found.questions,
  relevant: found.relevant,
  size_bytes: found.bytes,
  created_at: found.createdAt,
});
