/** Remembers what a read gave for as long as it is referred to. */
export const remembered = <Key extends readonly string[], Result>(
  read: (...key: Key) => Promise<Result>,
): ((...key: Key) => Promise<Result>) => {
  const known = new Map<string, Promise<Result>>();
  return (...key) => {
    const name = key.join('#');
    const result = known.get(name) ?? read(...key);
    known.set(name, result);
    return result;
  };
};
