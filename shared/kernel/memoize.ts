/** Where what was made stands under its key: a Map, or an LRUCache where there is no end of keys. */
interface Shelf<Key, Value> {
  get(key: Key): Value | undefined;
  set(key: Key, value: NoInfer<Value>): unknown;
  delete(key: Key): unknown;
}

/** What stands on a shelf, made where it is not there yet. A promise that fails is forgotten: who asks next has it made anew. */
export const memoize = <Key, Value extends object>(shelf: Shelf<Key, Value>, key: Key, make: () => Value): Value => {
  const known = shelf.get(key);
  if (known !== undefined) return known;
  const made = make();
  shelf.set(key, made);
  if (made instanceof Promise)
    made.catch(() => {
      if (shelf.get(key) === made) shelf.delete(key);
    });
  return made;
};

/** Makes something once for each owner, for as long as the owner is in use. A promise that fails is forgotten. */
export const memoizePerOwner = <Owner extends object, Value extends object>(
  make: (owner: Owner) => Value,
): ((owner: Owner) => Value) => {
  const values = new WeakMap<Owner, Value>();
  return (owner) => memoize(values, owner, () => make(owner));
};

/** Makes something once for each key, for as long as the result is referred to. A promise that fails is forgotten. */
export const memoizePerKey = <Key extends readonly string[], Value extends object>(
  make: (...key: Key) => Value,
): ((...key: Key) => Value) => {
  const values = new Map<string, Value>();
  return (...key) => memoize(values, key.join('#'), () => make(...key));
};

/** Makes something at the first call, and not before. A promise that fails is forgotten: the next call makes it anew. */
export const lazy = <Value extends object>(make: () => Value): (() => Value) => memoizePerKey(make);
