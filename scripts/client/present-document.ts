import type { OpenAPI3 } from 'openapi-typescript';

type Node = Record<string, unknown>;

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Every object within a value, itself first. */
function* nodesOf(value: unknown): Generator<Node> {
  if (Array.isArray(value)) for (const item of value) yield* nodesOf(item);
  if (!isNode(value)) return;
  yield value;
  for (const item of Object.values(value)) yield* nodesOf(item);
}

const nodeAt = (node: Node, key: string): Node => (isNode(node[key]) ? node[key] : {});

const prefix = '#/components/schemas/';

/** Names of the schemas that some parts of the document lead to. */
const reachedFrom = (parts: readonly unknown[], schemas: Node): ReadonlySet<string> => {
  const reached = new Set<string>();
  const visit = (part: unknown): void => {
    for (const { $ref: reference } of nodesOf(part)) {
      if (typeof reference !== 'string' || !reference.startsWith(prefix)) continue;
      const name = reference.slice(prefix.length);
      if (reached.has(name)) continue;
      reached.add(name);
      visit(schemas[name]);
    }
  };
  parts.forEach(visit);
  return reached;
};

/** A field with a default is not required of an answer, but the service always sends it. */
const requireDefaults = (part: unknown): void => {
  for (const node of nodesOf(part)) {
    const { properties, required } = node;
    if (!isNode(properties)) continue;
    const sent = Object.keys(properties).filter((name) => 'default' in nodeAt(properties, name));
    if (sent.length > 0) node['required'] = [...(Array.isArray(required) ? (required as unknown[]) : []), ...sent];
  }
};

/** Errors are thrown, in one form for all, and headers are read by the client alone. */
const keepSuccess = (operation: Node): void => {
  const responses = Object.entries(nodeAt(operation, 'responses')).filter(([status]) => status.startsWith('2'));
  for (const [, response] of responses) {
    if (!isNode(response)) continue;
    delete response['headers'];
    delete response['links'];
  }
  operation['responses'] = Object.fromEntries(responses);
};

/** The description as callers of the client see it: what succeeds, with all that an answer is known to have. */
export const presentDocument = (original: OpenAPI3): OpenAPI3 => {
  const document = structuredClone(original) as unknown as Node;
  const schemas = nodeAt(nodeAt(document, 'components'), 'schemas');
  const operations = Object.values(nodeAt(document, 'paths')).flatMap((path) => Object.values(path as Node)) as Node[];
  operations.forEach(keepSuccess);
  const sent = reachedFrom(
    operations.map((operation) => operation['requestBody']),
    schemas,
  );
  for (const [name, schema] of Object.entries(schemas)) if (!sent.has(name)) requireDefaults(schema);
  for (const operation of operations) requireDefaults(operation['responses']);
  const { NoContent } = nodeAt(nodeAt(document, 'components'), 'responses');
  if (isNode(NoContent)) delete NoContent['headers'];
  document['components'] = {
    schemas,
    parameters: nodeAt(nodeAt(document, 'components'), 'parameters'),
    responses: { NoContent },
  };
  delete document['webhooks'];
  for (const operation of operations) delete operation['security'];
  for (const node of nodesOf(document)) for (const name of ['example', 'examples']) delete node[name];
  return document as unknown as OpenAPI3;
};
