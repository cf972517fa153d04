type Scalar = string | number | boolean | null;

const isScalar = (value: unknown): value is Scalar =>
  value === null || typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);

const kindOf = (value: object): string => Object.prototype.toString.call(value).slice('[object '.length, -1);

const withArticle = (name: string): string => `${/^[aeio]/i.test(name) ? 'an' : 'a'} ${name}`;

/** Describes a value that JSON omits or converts; null for an object or array whose fields are all of it. */
const describeUnsuitable = (value: unknown): string | null => {
  if (value === undefined || typeof value === 'number') return String(value);
  if (typeof value !== 'object' || value === null) return withArticle(typeof value);
  if (Array.isArray(value)) return null;
  const kind = kindOf(value);
  if (kind !== 'Object') return withArticle(kind);
  if (Object.getOwnPropertySymbols(value).some((key) => Object.prototype.propertyIsEnumerable.call(value, key)))
    return 'an object with symbols as keys';
  const prototype: unknown = Object.getPrototypeOf(value);
  const isPlain = prototype === null || Object.getPrototypeOf(prototype) === null;
  return isPlain || Object.keys(value).length > 0 ? null : 'an object without fields of its own';
};

/** Returns the value that JSON writes: that of `toJSON`, such as the text of a Date. */
const toWritten = (value: unknown, key: string): unknown => {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value;
  if (!('toJSON' in value) || typeof value.toJSON !== 'function') return value;
  return (value.toJSON as (key: string) => unknown)(key);
};

const requireJsonAt = (given: unknown, path: string, key: string, holders: readonly unknown[]): void => {
  const value = toWritten(given, key);
  const isInvalid = value === null && typeof given === 'object' && given !== null;
  if (isScalar(value) && !isInvalid) return;
  const reason = isInvalid
    ? `an invalid ${kindOf(given)}`
    : holders.includes(value)
      ? 'an object that contains itself'
      : describeUnsuitable(value);
  if (reason !== null)
    throw new TypeError(`${path} is ${reason}, which JSON cannot represent. Omit it, or pass a JSON value.`);
  const within = [...holders, value];
  if (Array.isArray(value)) {
    // `forEach` would skip the holes of an array.
    for (const [at, item] of value.entries())
      if (!isScalar(item)) requireJsonAt(item, `${path}[${at}]`, String(at), within);
    return;
  }
  for (const [name, child] of Object.entries(value as object))
    if (!isScalar(child)) requireJsonAt(child, `${path}.${name}`, name, within);
};

/** From here on, JSON has an exponent, so that the number is no whole one to the service. */
const minExponential = 1e21;

/** Throws TypeError for a whole number of metadata or a filter that has already been rounded. */
const requireExactAt = (value: unknown, path: string, isFree: boolean): void => {
  if (typeof value === 'number') {
    const isExact = !isFree || !Number.isInteger(value) || Number.isSafeInteger(value);
    if (isExact || Math.abs(value) >= minExponential) return;
    throw new TypeError(
      `${path} is ${value}, and whole numbers beyond ±${Number.MAX_SAFE_INTEGER} are not kept exactly. Pass it as a string.`,
    );
  }
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    const isVector = !isFree && typeof value[0] === 'number';
    if (!isVector) for (const [at, item] of value.entries()) requireExactAt(item, `${path}[${at}]`, isFree);
    return;
  }
  for (const [name, child] of Object.entries(value))
    requireExactAt(child, `${path}.${name}`, isFree || name === 'metadata' || name === 'filter');
};

/**
 * Throws TypeError if a request body contains a value that JSON omits or converts, at any depth, such as undefined, a
 * function, NaN or a Map. A filter without that condition would match more rows. Throws too for whole numbers that are
 * not exact.
 */
export const requireJson = (body: unknown): void => {
  requireJsonAt(body, 'body', '', []);
  requireExactAt(body, 'body', false);
};
