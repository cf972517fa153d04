import { type AttributeType, type AttributeValue, type Item, setMembers, typeOf } from './attribute-value.ts';
import { addNumbers, negateNumber } from './decimal.ts';
import { valueAt } from './evaluate.ts';
import type { Path, UpdateAction, UpdateOperand } from './expression.ts';
import { invalid } from './tables-error.ts';

const wrongType = (): Error => invalid('An operand in the update expression has an incorrect data type');

const resolve = (operand: UpdateOperand, item: Item): AttributeValue => {
  if ('value' in operand) return operand.value;
  if (!('kind' in operand)) {
    const value = valueAt(item, operand.path);
    if (value === undefined)
      throw invalid('The provided expression refers to an attribute that does not exist in the item');
    return value;
  }
  if (operand.kind === 'default') return valueAt(item, operand.path) ?? resolve(operand.otherwise, item);
  const [left, right] = [resolve(operand.left, item), resolve(operand.right, item)];
  if (operand.kind === 'append') {
    if (!('L' in left && 'L' in right)) throw wrongType();
    return { L: [...left.L, ...right.L] };
  }
  if (!('N' in left && 'N' in right)) throw wrongType();
  return { N: addNumbers(left.N, operand.kind === '+' ? right.N : negateNumber(right.N)) };
};

/** Returns the value after `ADD`. */
const added = (before: AttributeValue | undefined, value: AttributeValue): AttributeValue => {
  const type = typeOf(value);
  if (before !== undefined && typeOf(before) !== type) throw wrongType();
  if ('N' in value) return { N: addNumbers(before !== undefined && 'N' in before ? before.N : '0', value.N) };
  const members = setMembers(value);
  if (members === null) throw wrongType();
  const old = before === undefined ? [] : (setMembers(before) ?? []);
  return setOf(type, [...new Set([...old, ...members])]);
};

const setOf = (type: AttributeType, members: readonly string[]): AttributeValue =>
  ({ [type]: members }) as unknown as AttributeValue;

/** Returns the value after `DELETE`; undefined if nothing is left. */
const without = (before: AttributeValue | undefined, value: AttributeValue): AttributeValue | undefined => {
  const gone = setMembers(value);
  if (gone === null) throw wrongType();
  if (before === undefined) return undefined;
  if (typeOf(before) !== typeOf(value)) throw wrongType();
  const left = (setMembers(before) ?? []).filter((member) => !gone.includes(member));
  return left.length === 0 ? undefined : setOf(typeOf(value), left);
};

const valueAfter = (item: Item, action: UpdateAction): AttributeValue | undefined => {
  switch (action.kind) {
    case 'set':
      return resolve(action.operand, item);
    case 'remove':
      return undefined;
    case 'add':
      return added(valueAt(item, action.path), action.value);
    case 'delete':
      return without(valueAt(item, action.path), action.value);
  }
};

/**
 * Returns `container` with the value at a path inside it replaced; undefined removes it. Removed members of lists leave
 * gaps, which keep the positions of the others until `closeGaps`.
 */
const replaced = (
  container: AttributeValue | undefined,
  [step, ...rest]: Path,
  value: AttributeValue | undefined,
): AttributeValue | undefined => {
  if (step === undefined) return value;
  if (container !== undefined && typeof step === 'string' && 'M' in container) {
    const { [step]: old, ...others } = container.M;
    const now = replaced(old, rest, value);
    return { M: now === undefined ? others : { ...others, [step]: now } };
  }
  if (container !== undefined && typeof step === 'number' && 'L' in container) {
    const members: (AttributeValue | undefined)[] = [...container.L];
    // A position beyond the end adds at the end.
    const at = value === undefined || rest.length > 0 ? step : Math.min(step, members.length);
    if (at < members.length || value !== undefined) members[at] = replaced(members[at], rest, value);
    return { L: members as AttributeValue[] };
  }
  throw invalid('The document path provided in the update expression is invalid for update');
};

const closeGaps = (value: AttributeValue): AttributeValue => {
  if ('L' in value) return { L: value.L.filter((member) => (member as unknown) !== undefined).map(closeGaps) };
  if (!('M' in value)) return value;
  return { M: Object.fromEntries(Object.entries(value.M).map(([name, member]) => [name, closeGaps(member)])) };
};

/** Returns the item after an update. All operands are those of the item before. */
export const applyUpdate = (item: Item, actions: readonly UpdateAction[]): Item => {
  const values = actions.map((action) => valueAfter(item, action));
  let draft: AttributeValue = { M: item };
  for (const [at, { path }] of actions.entries()) draft = replaced(draft, path, values[at]) ?? draft;
  const isNested = actions.some(({ path }) => path.length > 1);
  const done = isNested ? closeGaps(draft) : draft;
  return 'M' in done ? done.M : item;
};

/** Returns how two paths exclude each other: one contains the other, or needs a list where the other needs a map. */
const clashOf = (one: Path, other: Path): 'overlap' | 'conflict' | null => {
  const length = Math.min(one.length, other.length);
  const at = one.slice(0, length).findIndex((step, position) => step !== other[position]);
  if (at === -1) return 'overlap';
  return typeof one[at] === typeof other[at] ? null : 'conflict';
};

/** Checks that no two paths exclude each other. */
export const checkPaths = (paths: readonly Path[]): void => {
  for (const [at, path] of paths.entries())
    for (const other of paths.slice(at + 1)) {
      const clash = clashOf(path, other);
      if (clash !== null)
        throw invalid(
          `Two document paths ${clash} with each other; must remove or rewrite one of these paths; path one: [${path.join(', ')}], path two: [${other.join(', ')}]`,
        );
    }
};

/** Returns the parts of an item at the paths. The positions of list members are closed up. */
export const project = (item: Item, paths: readonly Path[]): Item => {
  const chosen = paths.filter((path) => valueAt(item, path) !== undefined);
  const pick = (value: AttributeValue, within: readonly Path[]): AttributeValue => {
    if (within.some(({ length }) => length === 0)) return value;
    const below = (step: string | number): readonly Path[] =>
      within.filter(([first]) => first === step).map((path) => path.slice(1));
    if ('L' in value)
      return {
        L: value.L.flatMap((member, at) => (below(at).length === 0 ? [] : [pick(member, below(at))])),
      };
    if (!('M' in value)) return value;
    return {
      M: Object.fromEntries(
        Object.entries(value.M).flatMap(([name, member]) => {
          const inner = below(name);
          return inner.length === 0 ? [] : [[name, pick(member, inner)]];
        }),
      ),
    };
  };
  const picked = pick({ M: item }, chosen);
  return 'M' in picked ? picked.M : {};
};
