/** A node of a TensorFlow graph; an input may name one of several outputs, as `name:1`. */
export interface GraphNode {
  readonly name: string;
  readonly op: string;
  readonly input?: readonly string[];
}

/**
 * Returns the nodes that `output` needs and that depend on the input's length alone, as close to `output` as possible.
 * Feeding their values skips the computation before them.
 * @param given Nodes whose values are fed and depend on the length alone.
 * @param input Node that is fed with the content.
 */
export const lengthNodes = (
  nodes: readonly GraphNode[],
  output: string,
  { given, input }: { readonly given: ReadonlySet<string>; readonly input: string },
): readonly string[] => {
  const byName = new Map(nodes.map((node) => [node.name, node]));
  const sourcesOf = (name: string): readonly string[] =>
    (byName.get(name)?.input ?? []).map((source) => source.replace(/^\^/, '').replace(/:\d+$/, ''));
  const varying = new Map<string, boolean>();
  const isVarying = (name: string): boolean => {
    const known = varying.get(name);
    if (known !== undefined) return known;
    const varies =
      !given.has(name) && byName.get(name)?.op !== 'Shape' && (name === input || sourcesOf(name).some(isVarying));
    varying.set(name, varies);
    return varies;
  };
  const found = new Set<string>();
  const seen = new Set<string>();
  const visit = (name: string): void => {
    if (seen.has(name)) return;
    seen.add(name);
    for (const source of sourcesOf(name)) {
      if (isVarying(source)) visit(source);
      else if (byName.get(source)?.op !== 'Const') found.add(source);
    }
  };
  visit(output);
  return [...found];
};
