export { logged } from './entry.ts';
export { queryLogErase, removeQueryLog } from './erase.ts';
export { joinQuestions, summarizeLog, toGoldenQuestions } from './questions.ts';
export { queryLogRead } from './reader.ts';
export { indexOfSearch } from './record.ts';
export { FromLog, LoggedQuestionResponse, QuestionsQuery, SearchFeedback, toLoggedQuestion } from './schemas.ts';
export { queryLogAppend } from './writer.ts';
