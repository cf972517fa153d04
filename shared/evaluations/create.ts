import type * as z from 'zod';
import type { IdempotencyContext } from '../http/idempotency.ts';
import type { Principal } from '../http/principal.ts';
import { type GoldenSet, type GoldenSetReader, goldenSetsRead } from '../golden-sets/index.ts';
import { type IndexRecord, indexesRead, requireModel, requireReadyIndex } from '../indexes/index.ts';
import type { Deps } from '../kernel/capability.ts';
import { AppError, notFound, ValidationFailure } from '../kernel/errors.ts';
import type { DownloadPresigner } from '../platform/aws/objects.ts';
import { embeddingModelsKnown } from '../platform/models/model-names.ts';
import { rerankModelsKnown } from '../platform/rerank/rerank-models.ts';
import { rebuildsRead } from '../rebuilds/index.ts';
import { type EvaluatedSearch, searchProblems } from '../search/index.ts';
import { comparedToOf, contentsOf } from './contents.ts';
import { evaluationsSend } from './message.ts';
import { addressOfEvaluation, type EvaluationRecord, type NewEvaluation, questionsKey } from './record.ts';
import { evaluationsWrite } from './repository.ts';
import type { EvaluationCreate } from './schemas.ts';

/** Capabilities that starting an evaluation needs. */
export const createEvaluationUses = {
  indexes: indexesRead,
  rebuilds: rebuildsRead,
  sets: goldenSetsRead,
  evaluations: evaluationsWrite,
  queue: evaluationsSend,
  models: embeddingModelsKnown,
  rerankModels: rerankModelsKnown,
};

type CreateDeps = Deps<typeof createEvaluationUses>;

/** Evaluations of an organization that may run at once. They bound its load. */
const maxRunning = 4;

/** A start that may succeed once another evaluation has ended. */
export class TooManyEvaluations extends AppError {}

/** Searches of one evaluation. They bound its duration. */
const maxSearches = 20_000;

/** Returns the version of a golden set that an evaluation reads. Throws 404. */
export const requireGoldenSet = async (
  sets: GoldenSetReader,
  index: IndexRecord,
  name: string,
  version?: number,
): Promise<GoldenSet> => {
  const found = await sets.find(index, name, version);
  if (found === null) throw notFound('Golden set');
  return found;
};

/** Throws 409 and 422 if searches cannot be run on a content, or have no names of their own. */
export const requireSearches = async (
  deps: Pick<CreateDeps, 'rerankModels' | 'models'>,
  index: IndexRecord,
  searches: readonly EvaluatedSearch[],
  placeOf: (at: number) => readonly (string | number)[] = (at) => ['body', 'searches', at],
): Promise<void> => {
  if (searches.some(({ mode }) => mode !== 'sparse')) requireModel(deps.models, index);
  for (const [at, { name: _, mode, ...search }] of searches.entries()) {
    const body = { ...search, text: 'question' };
    const problems = await searchProblems(mode)({ body, sent: body, prefetched: Promise.resolve({ index }), deps });
    if (problems.length > 0)
      throw new ValidationFailure(
        problems.map(({ loc, ...rest }) => ({ ...rest, loc: [...placeOf(at), ...loc.slice(1)] })),
      );
  }
};

/** Stores an evaluation and sends its first message. Throws 409 if too many run. */
export const startEvaluation = async (
  deps: Pick<CreateDeps, 'evaluations' | 'queue'>,
  created: NewEvaluation,
): Promise<EvaluationRecord> => {
  const address = addressOfEvaluation(created);
  const contents = created.comparedTo === null ? 1 : 2;
  const searches = created.questions * created.searches.length * contents;
  if (searches > maxSearches)
    throw new AppError(
      'conflict',
      `The evaluation would run ${searches} searches, and ${maxSearches} are allowed. Use fewer questions or searches`,
    );
  // Counted after it is stored, so that concurrent requests never exceed the limit.
  await deps.evaluations.add(created);
  if ((await deps.evaluations.countRunning(created.organizationId)) > maxRunning) {
    await deps.evaluations.withdraw(address);
    throw new TooManyEvaluations('conflict', `${maxRunning} evaluations are running. Wait until one has ended`);
  }
  await deps.queue.send(created.region, address);
  const found = await deps.evaluations.find(address);
  if (found === null) throw notFound('Evaluation');
  return found;
};

interface Start {
  readonly deps: CreateDeps;
  readonly caller: Principal;
  readonly idempotency: IdempotencyContext;
}

/** Validates an evaluation of an index and starts it. Throws 403, 404, 409 and 422. */
export const createEvaluation = async (
  { deps, caller, idempotency }: Start,
  indexId: string,
  { golden_set: name, golden_set_version: version, searches, compare_to: named, k }: z.output<typeof EvaluationCreate>,
): Promise<EvaluationRecord> => {
  const { organizationId } = caller;
  const index = await requireReadyIndex(deps.indexes, organizationId, indexId);
  const goldenSet = await requireGoldenSet(deps.sets, index, name, version);
  const comparedTo = await comparedToOf(deps, organizationId, caller.indexIds, named);
  for (const content of await contentsOf(deps, index, { comparedTo })) await requireSearches(deps, content, searches);
  return startEvaluation(deps, {
    id: idempotency.id('eval'),
    organizationId,
    indexId: index.id,
    region: index.region,
    goldenSet: { name, version: goldenSet.version },
    questions: goldenSet.questions,
    searches,
    comparedTo,
    k,
    createdAt: idempotency.at.toISOString(),
    createdBy: caller.subjectId,
  });
};

/** Validity of a download URL. */
const urlSeconds = 3_600;

/** Returns a URL of the results of each question. Null: the evaluation has none yet. */
export const questionsUrl = async (content: DownloadPresigner, found: EvaluationRecord): Promise<string | null> => {
  if (found.status !== 'completed') return null;
  const key = questionsKey(addressOfEvaluation(found));
  return content.presignGet(found.region, { key, filename: 'questions.jsonl', expiresInSeconds: urlSeconds });
};
