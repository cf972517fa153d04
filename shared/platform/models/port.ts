/** Vectors of a batch of texts, in order, and what the batch cost. */
export interface Embedding {
  readonly vectors: readonly Float32Array[];
  /** Model tokens that the texts amounted to. */
  readonly tokens: number;
}

/** A model that turns text into vectors. Two embedders with one `model` give the same vector for the same text. */
export interface Embedder {
  /** Recorded with every index that the model writes, for example `embedded-use-v1`. */
  readonly model: string;
  /**
   * One unit-length vector of `dimensions` (1 to 4096) numbers for each text; a text without a word gives a fixed
   * non-zero vector, never a throw.
   */
  embed(texts: readonly string[], dimensions: number): Promise<Embedding>;
}

/** Opens the embedder of a model by the name that is recorded with an index, once. Throws `UnknownModel`. */
export type Embedders = (model: string) => Embedder;

/** A model whose provider this deployment is not set up to call. */
export class UnknownModel extends Error {
  constructor(model: string) {
    super(`The index was written with the embedding model ${model}, which this deployment is not set up to call`);
    this.name = 'UnknownModel';
  }
}
