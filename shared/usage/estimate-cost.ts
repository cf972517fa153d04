import { unitPrices } from '../kernel/plans.ts';
import type { MonthUsage } from './month-usage.ts';
import type { SubjectFigures } from './subject-usage.ts';

const bytesPerGib = 1024 ** 3;

/** Returns the estimated cost of a month in USD, rounded to the cent: every figure times its unit price. */
export const estimateCostUsd = ({
  used,
  searches,
  byteMonths,
  originalByteMonths,
}: Pick<MonthUsage, 'used' | 'searches' | 'byteMonths' | 'originalByteMonths'>): number => {
  const units = {
    storage_gib_month: byteMonths / bytesPerGib,
    original_gib_month: originalByteMonths / bytesPerGib,
    million_vectors_written: used.vectors_written / 1e6,
    thousand_searches: (searches.dense + searches.sparse + searches.hybrid) / 1000,
    thousand_rerank_units: used.rerank_units / 1000,
    thousand_pages: used.pages / 1000,
    ocr_credit: used.ocr_credits,
    audio_credit: used.audio_credits,
    million_embedding_tokens: used.embedding_tokens / 1e6,
    thousand_invocations: used.serverless_invocations / 1000,
  } satisfies Record<keyof typeof unitPrices, number>;
  const usd = Object.entries(units).reduce(
    (sum, [key, amount]) => sum + amount * unitPrices[key as keyof typeof unitPrices].usd,
    0,
  );
  return Math.round(usd * 100) / 100;
};

/** Returns the estimated cost of searches in USD, with their tokens and units of rerankers. */
export const estimateSearchUsd = (searches: number, tokens: number, rerankUnits: number): number =>
  (searches / 1000) * unitPrices.thousand_searches.usd +
  (tokens / 1e6) * unitPrices.million_embedding_tokens.usd +
  (rerankUnits / 1000) * unitPrices.thousand_rerank_units.usd;

/** Returns the estimated cost of a credential or tenant in USD, rounded to the cent, without storage. */
export const estimateSubjectUsd = (figures: SubjectFigures): number =>
  estimateCostUsd({
    used: figures,
    searches: {
      dense: figures.searches_dense,
      sparse: figures.searches_sparse,
      hybrid: figures.searches_hybrid,
    },
    byteMonths: 0,
    originalByteMonths: 0,
  });
