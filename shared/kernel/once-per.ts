/**
 * Makes something once for each owner, for as long as the owner is in use. A promise that fails is not kept.
 */
export const oncePer = <Owner extends object, Value>(make: (owner: Owner) => Value): ((owner: Owner) => Value) => {
  const values = new WeakMap<Owner, { readonly value: Value }>();
  return (owner) => {
    const known = values.get(owner);
    if (known !== undefined) return known.value;
    const value = make(owner);
    values.set(owner, { value });
    if (value instanceof Promise) value.catch(() => values.delete(owner));
    return value;
  };
};
