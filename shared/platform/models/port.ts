/** Vectors of a batch of texts, in order, and their cost. */
export interface Embedding {
  readonly vectors: readonly Float32Array[];
  /** Model tokens of the texts. */
  readonly tokens: number;
}

/** Whether a text is searched with or searched for. Some models embed the two differently. */
export const textUses = ['query', 'document'] as const;
export type TextUse = (typeof textUses)[number];

/** Embedding model. Two embedders with the same `model` return the same vector for the same text and use. */
export interface Embedder {
  /** Name stored with every index of the model, for example `embedded-minilm-l6-v2`. */
  readonly model: string;
  /**
   * Returns one unit-length vector of `dimensions` (1 to 4096) numbers for each text.
   * A text without tokens gets a fixed non-zero vector. The default of `use` is `document`.
   */
  embed(texts: readonly string[], dimensions: number, use?: TextUse): Promise<Embedding>;
}

/** Returns the embedder of a model name stored with an index, memoized. Throws `UnknownModel`. */
export type Embedders = (model: string) => Embedder;

/** Message for callers that send text to an index whose model this deployment cannot call. */
export const unknownModelMessage = (model: string): string =>
  `The index was written with the embedding model ${model}, which this deployment is not set up to call: give vectors in place of text, or export it and import it to a new index with "embed": true`;

/** Message for callers that bring vectors of one model to an index of another. */
export const otherModelMessage = (vectors: string, index: string): string =>
  `the vectors are of the embedding model ${vectors}, and those of the index of ${index}, so they cannot be compared: import with "embed": true, which embeds the texts again`;

/** A model whose provider this deployment is not set up to call. */
export class UnknownModel extends Error {
  constructor(model: string) {
    super(unknownModelMessage(model));
    this.name = 'UnknownModel';
  }
}
