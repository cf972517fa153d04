/** The part that is used. The types of the package cannot be resolved under the rules of Node.js. */
declare module '@huggingface/tokenizers' {
  export class Tokenizer {
    /**
     * @param description Content of `tokenizer.json`.
     * @param config Content of `tokenizer_config.json`; may be empty for encoding.
     */
    constructor(description: object, config: object);
    encode(
      text: string,
      options?: {
        readonly add_special_tokens?: boolean;
        readonly text_pair?: string;
        readonly return_token_type_ids?: boolean;
      },
    ): { readonly ids: readonly number[]; readonly token_type_ids?: readonly number[] };
  }
}
