/** A result, as far as its text depends on its context. */
interface ContextResult {
  readonly text?: string | null | undefined;
  readonly context?: number | null | undefined;
}

/**
 * Returns results with the text around them in place of their own, if the search has contexts. Of those that share one, the
 * best is returned.
 */
export const withContexts = <Result extends ContextResult>({
  results,
  contexts = [],
}: {
  readonly results: readonly Result[];
  readonly contexts?: readonly { readonly text: string }[] | undefined;
}): readonly Result[] => {
  const seen = new Set<number>();
  return results.flatMap((result) => {
    const { context } = result;
    const around = context == null ? undefined : contexts[context];
    if (context == null || around === undefined) return [result];
    if (seen.has(context)) return [];
    seen.add(context);
    return [{ ...result, text: around.text }];
  });
};
