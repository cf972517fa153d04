import type { GoldenQuestion } from '../golden-sets/index.ts';
import type { Feedback, LogEntry } from './record.ts';
import { timeOfSearch } from './record.ts';
import type { ReadLog } from './reader.ts';

/** A question of the log with its searches. */
export interface LoggedQuestion {
  readonly query: string;
  readonly searches: number;
  /** Searches without a hit. */
  readonly empty: number;
  readonly clicks: number;
  readonly good: number;
  readonly bad: number;
  readonly lastAt: string;
  /** Ids of the first hits of its last search. */
  readonly hits: readonly string[];
}

/** Questions with equal words in equal order are the same. */
const nameOf = (query: string): string => query.trim().replaceAll(/\s+/g, ' ').toLowerCase();

const questionsIn = ({ entries }: ReadLog): readonly (readonly [LogEntry, ...LogEntry[]])[] => {
  const asked = entries.filter(({ query }) => query !== null);
  const groups = [...Map.groupBy(asked, ({ query }) => nameOf(query ?? '')).values()];
  // Newest first, as the log is read.
  return groups.flatMap(([first, ...others]) => (first === undefined ? [] : [[first, ...others] as const]));
};

const feedbackOn = ({ feedback }: ReadLog, entries: readonly LogEntry[]): readonly Feedback[] =>
  entries.flatMap(({ id }) => feedback.get(id) ?? []);

/** Whether a question has no answer: its searches find nothing, or people call its hits bad and none good. */
const isUnanswered = ({ searches, empty, clicks, good, bad }: LoggedQuestion): boolean =>
  empty === searches || (bad > 0 && good + clicks === 0);

/** Returns the questions of a log: the most frequent ones first, or only those without an answer. */
export const summarizeLog = (
  log: ReadLog,
  { kind, limit }: { readonly kind: 'frequent' | 'unanswered'; readonly limit: number },
): readonly LoggedQuestion[] =>
  questionsIn(log)
    .map((entries): LoggedQuestion => {
      const [last] = entries;
      const events = feedbackOn(log, entries).map(({ event }) => event);
      const countOf = (wanted: Feedback['event']): number => events.filter((event) => event === wanted).length;
      return {
        query: last.query ?? '',
        searches: entries.length,
        empty: entries.filter(({ found }) => found === 0).length,
        clicks: countOf('click'),
        good: countOf('good'),
        bad: countOf('bad'),
        lastAt: timeOfSearch(last.id).toISOString(),
        hits: last.hits.map(([id]) => id),
      };
    })
    .filter((question) => kind === 'frequent' || isUnanswered(question))
    .toSorted((one, other) => other.searches - one.searches || other.lastAt.localeCompare(one.lastAt))
    .slice(0, limit);

/** Grades of hits by what people said about them: what more people call bad than good is irrelevant. */
const [goodGrade, clickGrade] = [2, 1];

const gradeOf = (events: readonly Feedback[]): number | null => {
  const countOf = (wanted: Feedback['event']): number => events.filter(({ event }) => event === wanted).length;
  const [good, bad] = [countOf('good'), countOf('bad')];
  if (bad > good) return 0;
  if (good > 0) return goodGrade;
  return countOf('click') > 0 ? clickGrade : null;
};

/** Returns questions with feedback as those of a golden set, the most frequent ones first. Each has a relevant row. */
export const toGoldenQuestions = (log: ReadLog, maxRelevant: number): readonly GoldenQuestion[] =>
  questionsIn(log)
    .toSorted((one, other) => other.length - one.length)
    .flatMap((entries): readonly GoldenQuestion[] => {
      const byRow = Map.groupBy(feedbackOn(log, entries), ({ row }) => row);
      const relevant = [...byRow].flatMap(([id, events]) => {
        const grade = gradeOf(events);
        return grade === null ? [] : [{ id, grade }];
      });
      if (!relevant.some(({ grade }) => grade > 0)) return [];
      const best = relevant.toSorted((one, other) => other.grade - one.grade).slice(0, maxRelevant);
      return [{ query: entries[0].query ?? '', relevant: best }];
    });

/** Returns a set with the questions of another one that it lacks, up to a number. */
export const joinQuestions = (
  set: readonly GoldenQuestion[],
  more: readonly GoldenQuestion[],
  max: number,
): readonly GoldenQuestion[] => {
  const known = new Set(set.map(({ query }) => nameOf(query)));
  return [...set, ...more.filter(({ query }) => !known.has(nameOf(query)))].slice(0, Math.max(max, set.length));
};
