const escapeLiteral = (text: string): string => text.replace(/[$()+.[\\\]^{|}]/g, String.raw`\$&`);

const compile = (pattern: string, any: (rest: string) => string, one: string, flags: string): RegExp => {
  const source = Array.from(pattern, (character, at) => {
    if (character === '*') return any(pattern.slice(at + 1));
    return character === '?' ? one : escapeLiteral(character);
  });
  return new RegExp(`^${source.join('')}$`, `su${flags}`);
};

/** Returns whether a text matches a pattern in which `*` matches any characters and `?` one. */
export const wildcardPattern = (pattern: string, options: { readonly ignoreCase?: boolean } = {}) => {
  const expression = compile(pattern, () => '.*', '.', options.ignoreCase === true ? 'i' : '');
  return (text: string): boolean => expression.test(text);
};

const resourceAt = (pattern: string): number => pattern.split(':', 5).join(':').length + 1;

/**
 * Returns whether an ARN matches a pattern. A wildcard stays within its segment; a `*` that ends a segment, and every
 * wildcard of the last segment, also matches colons.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_elements_resource.html
 */
export const arnPattern = (pattern: string): ((arn: string) => boolean) => {
  if (!/[*?]/.test(pattern)) return (arn) => arn === pattern;
  const head = pattern.slice(0, resourceAt(pattern));
  const tail = pattern.slice(head.length);
  const ofHead = compile(head, (rest) => (rest === '' || rest.startsWith(':') ? '.*' : '[^:]*'), '[^:]', '').source;
  const ofTail = compile(tail, () => '.*', '.', '').source;
  const expression = new RegExp(`${ofHead.slice(0, -1)}${ofTail.slice(1)}`, 'su');
  return (arn) => expression.test(arn);
};
