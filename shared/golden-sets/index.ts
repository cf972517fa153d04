export { fromLines, GoldenQuestion, GoldenQuestions, maxQuestions, maxRelevant } from './questions.ts';
export {
  type GoldenSet,
  type GoldenSetReader,
  goldenSetsRead,
  goldenSetsWrite,
  questionsOf,
  removeGoldenSets,
} from './repository.ts';
export { GoldenSetResponse, StoredQuestion, toGoldenSetResponse } from './schemas.ts';
