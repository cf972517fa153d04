/** Writes results to stdout and notes to stderr, for people or as lines of JSON. */
export class Output {
  readonly isJson: boolean;
  /** Whether the terminal shows a note that the next output overwrites. */
  #isTransient = false;

  constructor(isJson: boolean) {
    this.isJson = isJson;
  }

  #clear(): void {
    if (this.#isTransient) process.stderr.write('\r\u001b[K');
    this.#isTransient = false;
  }

  /** Prints a result: one line of JSON, or the text. */
  readonly print = (result: unknown, text: string): void => {
    this.#clear();
    process.stdout.write(`${this.isJson ? JSON.stringify(result) : text}\n`);
  };

  /** Prints a note to stderr. With `transient`, the next output overwrites it, and only a terminal shows it. */
  readonly note = (text: string, transient = false): void => {
    if (transient && (this.isJson || !process.stderr.isTTY)) return;
    this.#clear();
    process.stderr.write(this.isJson ? `${JSON.stringify({ note: text })}\n` : `${text}${transient ? '' : '\n'}`);
    this.#isTransient = transient;
  };

  /** Prints an error to stderr. */
  readonly fail = (error: Readonly<Record<string, unknown>> & { readonly message: string }): void => {
    this.#clear();
    process.stderr.write(this.isJson ? `${JSON.stringify({ error })}\n` : `strata: ${error.message}\n`);
  };
}
