/** Scores of texts for a query. */
export interface Relevance {
  /** One between 0 and 1 for each text. */
  readonly scores: readonly number[];
  /** Units by which the model is billed: pairs of a query and a text, or as its provider counts. */
  readonly units: number;
}

/** Model that scores texts by their relevance to a query. */
export interface Reranker {
  /** Throws `RerankFault`. The result is not used after `signal` is aborted. */
  score(query: string, texts: readonly string[], signal: AbortSignal): Promise<Relevance>;
}

/** Returns the reranker of a name. Its calls fail if the deployment does not have it. */
export type Rerankers = (model: string) => Reranker;

/** A reranker that has not scored the texts. */
export class RerankFault extends Error {
  readonly reason: 'unavailable' | 'timeout' | 'invalid_response';

  constructor(reason: RerankFault['reason'], message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'RerankFault';
    this.reason = reason;
  }
}
