/** Storage of memoized values: a Map, or an LRUCache if the number of keys is unbounded. */
interface ValueCache<Key, Value> {
  get(key: Key): Value | undefined;
  set(key: Key, value: NoInfer<Value>): unknown;
  delete(key: Key): unknown;
}

/**
 * Returns the cached value of a key, or creates it. A promise that rejects is removed, so that the next call creates it
 * again.
 */
export const memoize = <Key, Value extends object>(
  cache: ValueCache<Key, Value>,
  key: Key,
  make: () => Value,
): Value => {
  const known = cache.get(key);
  if (known !== undefined) return known;
  const made = make();
  cache.set(key, made);
  if (made instanceof Promise)
    made.catch(() => {
      if (cache.get(key) === made) cache.delete(key);
    });
  return made;
};

/** Creates one value for each owner, for as long as the owner is in use. A promise that rejects is created again. */
export const memoizePerOwner = <Owner extends object, Value extends object>(
  make: (owner: Owner) => Value,
): ((owner: Owner) => Value) => {
  const values = new WeakMap<Owner, Value>();
  return (owner) => memoize(values, owner, () => make(owner));
};

/** Creates one value for each key, kept while the function is in use. A promise that rejects is created again. */
export const memoizePerKey = <Key extends readonly string[], Value extends object>(
  make: (...key: Key) => Value,
): ((...key: Key) => Value) => {
  const values = new Map<string, Value>();
  return (...key) => memoize(values, key.join('#'), () => make(...key));
};

/** Creates one value at the first call. A promise that rejects is created again. */
export const lazy = <Value extends object>(make: () => Value): (() => Value) => memoizePerKey(make);
