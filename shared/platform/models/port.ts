/** Vectors of a batch of texts, in order, and their cost. */
export interface Embedding {
  readonly vectors: readonly Float32Array[];
  /** Model tokens of the texts. */
  readonly tokens: number;
}

/** Embedding model. Two embedders with the same `model` return the same vector for the same text. */
export interface Embedder {
  /** Name stored with every index of the model, for example `embedded-use-v1`. */
  readonly model: string;
  /**
   * Returns one unit-length vector of `dimensions` (1 to 4096) numbers for each text.
   * A text without words gets a fixed non-zero vector.
   */
  embed(texts: readonly string[], dimensions: number): Promise<Embedding>;
}

/** Returns the embedder of a model name stored with an index, memoized. Throws `UnknownModel`. */
export type Embedders = (model: string) => Embedder;

/** A model whose provider this deployment is not set up to call. */
export class UnknownModel extends Error {
  constructor(model: string) {
    super(`The index was written with the embedding model ${model}, which this deployment is not set up to call`);
    this.name = 'UnknownModel';
  }
}
