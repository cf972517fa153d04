import * as z from 'zod';
import { exampleTime } from '../http/examples.ts';
import { integerText } from '../http/schema-helpers.ts';
import type { LoggedQuestion } from './questions.ts';
import { feedbackEvents } from './record.ts';

/** Longest time for which entries are kept, in days. */
const maxDays = 90;

export const SearchFeedback = z
  .strictObject({
    id: z.string().min(1).max(512).describe('Id of a hit.'),
    event: z
      .enum(feedbackEvents)
      .meta({ id: 'FeedbackEvent', description: 'What a person did with a hit, or called it.' })
      .describe('`click`: opened it. `good`, `bad`: judged it.'),
  })
  .meta({ id: 'SearchFeedback', description: 'Feedback on a hit.', examples: [{ id: 'tea', event: 'good' }] });

export const QuestionsQuery = z.strictObject({
  kind: z
    .enum(['frequent', 'unanswered'])
    .default('frequent')
    .describe('`unanswered`: only questions whose searches find nothing, or whose hits people call bad.'),
  days: integerText(1, maxDays).default(30).meta({ description: 'Days that are looked at.' }),
  limit: integerText(1, 1_000).default(100).meta({ description: 'Maximum number of questions.' }),
});

const count = (description: string) => z.int().describe(description);

export const LoggedQuestionResponse = z
  .object({
    query: z.string().describe('The question, as it was last asked.'),
    searches: count('Logged searches with it.'),
    empty: count('Searches that found nothing.'),
    clicks: count('Hits that people opened.'),
    good: count('Hits that people called good.'),
    bad: count('Hits that people called bad.'),
    last_at: z.iso.datetime().describe('Time of the last search.'),
    hits: z.array(z.string()).describe('Ids of the first hits of the last search.'),
  })
  .meta({
    id: 'LoggedQuestion',
    description: 'A question of the log. Case and spaces make no difference.',
    examples: [
      {
        query: 'How hot should water for tea be?',
        searches: 12,
        empty: 0,
        clicks: 5,
        good: 2,
        bad: 0,
        last_at: exampleTime,
        hits: ['tea'],
      },
    ],
  });

export const toLoggedQuestion = ({ lastAt, hits, ...question }: LoggedQuestion) => ({
  ...question,
  last_at: lastAt,
  hits: [...hits],
});

export const FromLog = z
  .strictObject({
    days: z.int().min(1).max(maxDays).default(30).describe('Days of the log that are read.'),
    max_questions: z.int().min(1).max(5_000).default(1_000).describe('Questions that the set has at most afterwards.'),
  })
  .meta({ id: 'GoldenSetFromLog', description: 'Questions of the log for a golden set.', examples: [{ days: 30 }] });
