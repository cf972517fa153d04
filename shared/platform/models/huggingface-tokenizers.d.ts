/** The part that is used. The types of the package cannot be resolved under the rules of Node.js. */
declare module '@huggingface/tokenizers' {
  export class Tokenizer {
    /**
     * @param description Content of `tokenizer.json`.
     * @param config Content of `tokenizer_config.json`; may be empty for encoding.
     */
    constructor(description: object, config: object);
    encode(text: string, options?: { readonly add_special_tokens?: boolean }): { readonly ids: readonly number[] };
  }
}
