import type { TextUse } from './port.ts';

/** Marks a text as a query or as a document for a model. */
export interface InputType {
  /** Text before each text. It has at most six tokens, so that reservations of tokens cover it. */
  readonly prefix?: string;
  /** Fields of the request. */
  readonly fields?: Readonly<Record<string, string | undefined>>;
}

interface KnownModel {
  /** Matches the name of the model, with or without its publisher and tag. */
  readonly name: RegExp;
  readonly inputTypes: Readonly<Record<TextUse, InputType>>;
}

const knownModels: readonly KnownModel[] = [
  // https://huggingface.co/nomic-ai/nomic-embed-text-v1.5
  {
    name: /(^|\/)nomic-embed-text/i,
    inputTypes: { query: { prefix: 'search_query: ' }, document: { prefix: 'search_document: ' } },
  },
  // https://huggingface.co/intfloat/multilingual-e5-small; models with instructions have other prefixes.
  {
    name: /(^|\/)(multilingual-)?e5-(small|base|large)(?!.*instruct)/i,
    inputTypes: { query: { prefix: 'query: ' }, document: { prefix: 'passage: ' } },
  },
  // https://docs.cohere.com/reference/embed
  {
    name: /(^|\/)(cohere\.)?embed-(v\d|english|multilingual)/i,
    inputTypes: {
      query: { fields: { input_type: 'search_query' } },
      document: { fields: { input_type: 'search_document' } },
    },
  },
  // https://docs.voyageai.com/reference/embeddings-api: numbers are the default, and `float` is refused.
  {
    name: /(^|\/)voyage-/i,
    inputTypes: {
      query: { fields: { input_type: 'query', encoding_format: undefined } },
      document: { fields: { input_type: 'document', encoding_format: undefined } },
    },
  },
];

/** Returns the input types of a model behind OpenAI's interface; null if none are known. */
export const inputTypesOf = (model: string): KnownModel['inputTypes'] | null =>
  knownModels.find(({ name }) => name.test(model))?.inputTypes ?? null;
