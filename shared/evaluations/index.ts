export { contentsOf } from './contents.ts';
export { createEvaluation, createEvaluationUses, questionsUrl, TooManyEvaluations } from './create.ts';
export { evaluationAddressIn, EvaluationMessage, evaluationsSend } from './message.ts';
export { type EvaluatedHit, ndcgDepth, openMatcher, passageMatcher } from './metrics.ts';
export {
  addressOfEvaluation,
  type EvaluationAddress,
  evaluationAddressAt,
  type EvaluationRecord,
  questionsKey,
} from './record.ts';
export { evaluateCandidate, proofOf, proofUses, requireProof } from './prove.ts';
export { EvaluatedQuestion, pageOfQuestions, QuestionsOfEvaluation } from './questions.ts';
export { evaluationsRead, evaluationsWrite } from './repository.ts';
export {
  EvaluationCreate,
  EvaluationReport,
  EvaluationResponse,
  IndexPromote,
  partQuestions,
  partsOfRun,
  PromoteResponse,
  type Proof,
  RebuildCreate,
  Requirement,
  runsOf,
  toEvaluationResponse,
} from './schemas.ts';
export { type QuestionResult, type RunHits, summarize } from './summarize.ts';
