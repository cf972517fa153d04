import { measure } from '../../shared/evaluations/metrics.ts';
import { detectableLoss, estimates, judge, type Verdict } from '../../shared/evaluations/statistics.ts';
import { seededRandom } from '../data/random.ts';
import { markdownTable } from '../report/table.ts';

/** Questions of a set, seeds of each loss, and the loss that is allowed. */
const [questions, seeds, maxLoss] = [1_000, 100, 0.01];

/** Hits of a question, and the share of questions whose relevant row has a rank, from 1; others do not find it. */
const depth = 10;
const rankShares = [0.55, 0.15, 0.08, 0.05, 0.04, 0.03, 0.02, 0.02, 0.01, 0.01];

/** Share of questions in which two neighbouring hits change places without a reason, as between two builds of an index. */
const noise = 0.2;

const rankOf = (drawn: number): number | null => {
  let sum = 0;
  for (const [at, share] of rankShares.entries()) {
    sum += share;
    if (drawn < sum) return at;
  }
  return null;
};

const ndcgOf = (rank: number | null): number => {
  const hits = Array.from({ length: depth }, (_, at) => ({
    id: String(at),
    score: 0,
    matches: at === rank ? [0] : [],
  }));
  return measure(hits, new Map([[0, 1]]), depth)?.ndcg_at_10 ?? 0;
};

const meanNdcg = rankShares.reduce((sum, share, at) => sum + share * ndcgOf(at), 0);

/** Draws a set of questions, plants a mean loss, and returns the differences of the questions. */
const differencesOf = (loss: number, seed: number): readonly number[] => {
  const random = seededRandom(seed);
  return Array.from({ length: questions }, () => {
    const rank = rankOf(random());
    const place = Math.floor(random() * (depth - 1));
    const isSwapped = random() < noise;
    // A planted loss is a question whose row is not found any more.
    const isLost = random() < loss / meanNdcg;
    const swapped = rank === place ? place + 1 : rank === place + 1 ? place : rank;
    return (isLost ? 0 : ndcgOf(isSwapped ? swapped : rank)) - ndcgOf(rank);
  });
};

const verdictOf = (loss: number, seed: number): { readonly verdict: Verdict; readonly detectable: number } => {
  const differences = differencesOf(loss, seed);
  const [estimate = { mean: 0, low: 0, high: 0 }] = estimates([differences]);
  const detectable = detectableLoss(differences);
  return { verdict: judge(estimate, detectable, maxLoss), detectable };
};

/** Returns how many of a hundred sets refuse contents with planted losses. */
export const powerTable = (): string => {
  const rows = [0.04, 0.02, 0].map((loss) => {
    const found = Array.from({ length: seeds }, (_, seed) => verdictOf(loss, seed + 1));
    const countOf = (wanted: Verdict): string => String(found.filter(({ verdict }) => verdict === wanted).length);
    const detectable = found.reduce((sum, one) => sum + one.detectable, 0) / seeds;
    return [loss.toFixed(2), countOf('lost'), countOf('too_small'), countOf('passed'), detectable.toFixed(4)];
  });
  return markdownTable(['planted loss of nDCG', 'refused', 'set too small', 'passed', 'mean detectable loss'], rows);
};
