export { logged } from './entry.ts';
export { type ErasedFromLog, queryLogErase, removeQueryLog } from './erase.ts';
export { joinQuestions, type LoggedQuestion, summarizeLog, toGoldenQuestions } from './questions.ts';
export { queryLogRead } from './reader.ts';
export { feedbackEvents, indexOfSearch } from './record.ts';
export { FromLog, LoggedQuestionResponse, QuestionsQuery, SearchFeedback, toLoggedQuestion } from './schemas.ts';
export { queryLogAppend } from './writer.ts';
