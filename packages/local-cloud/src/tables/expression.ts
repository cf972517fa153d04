import { type AttributeValue, orderedBytes, readValue, typeOf } from './attribute-value.ts';
import { invalid } from './tables-error.ts';

/** Path of an attribute: names, and positions in lists. */
export type Path = readonly (string | number)[];

/** Operand of a condition. */
export type Operand = { readonly path: Path } | { readonly value: AttributeValue } | { readonly sizeOf: Path };

export type Comparator = '=' | '<>' | '<' | '<=' | '>' | '>=';

export type Condition =
  | { readonly kind: 'and' | 'or'; readonly conditions: readonly Condition[] }
  | { readonly kind: 'not'; readonly condition: Condition }
  | { readonly kind: 'compare'; readonly by: Comparator; readonly left: Operand; readonly right: Operand }
  | { readonly kind: 'between'; readonly operand: Operand; readonly low: Operand; readonly high: Operand }
  | { readonly kind: 'in'; readonly operand: Operand; readonly list: readonly Operand[] }
  | { readonly kind: 'exists'; readonly path: Path; readonly exists: boolean }
  | { readonly kind: 'type' | 'begins' | 'contains'; readonly left: Operand; readonly right: Operand };

/** Operand of an update. */
export type UpdateOperand =
  | { readonly path: Path }
  | { readonly value: AttributeValue }
  | { readonly kind: '+' | '-' | 'append'; readonly left: UpdateOperand; readonly right: UpdateOperand }
  | { readonly kind: 'default'; readonly path: Path; readonly otherwise: UpdateOperand };

export type UpdateAction =
  | { readonly kind: 'set'; readonly path: Path; readonly operand: UpdateOperand }
  | { readonly kind: 'remove'; readonly path: Path }
  | { readonly kind: 'add' | 'delete'; readonly path: Path; readonly value: AttributeValue };

/** The placeholders of a request, and which of them its expressions use. */
export class Placeholders {
  private readonly names: Readonly<Record<string, string>>;
  private readonly values: ReadonlyMap<string, AttributeValue>;
  private readonly used = new Set<string>();

  constructor(names: Readonly<Record<string, string>> = {}, values: Readonly<Record<string, unknown>> = {}) {
    this.names = names;
    this.values = new Map(Object.entries(values).map(([name, value]) => [name, readValue(value)]));
  }

  name(placeholder: string): string {
    const name = this.names[placeholder];
    if (name === undefined)
      throw invalid(
        `An expression attribute name used in the document path is not defined; attribute name: ${placeholder}`,
      );
    this.used.add(placeholder);
    return name;
  }

  value(placeholder: string): AttributeValue {
    const value = this.values.get(placeholder);
    if (value === undefined)
      throw invalid(`An expression attribute value used in expression is not defined; attribute value: ${placeholder}`);
    this.used.add(placeholder);
    return value;
  }

  /** Throws if the request defines a placeholder that no expression uses. */
  checkUse(): void {
    const unused = (all: Iterable<string>): string => [...all].filter((name) => !this.used.has(name)).join(', ');
    for (const [kind, names] of [
      ['Names', unused(Object.keys(this.names))],
      ['Values', unused(this.values.keys())],
    ])
      if (names !== '')
        throw invalid(`Value provided in ExpressionAttribute${kind} unused in expressions: keys: {${names}}`);
  }
}

const token = /\s*([#:]?\w+|<>|<=|>=|[=<>(),.[\]+-])/y;

const tokensOf = (expression: string): readonly string[] => {
  const text = expression.trimEnd();
  if (text === '') throw invalid('The expression can not be empty;');
  const tokens: string[] = [];
  for (let at = 0; at < text.length; at = token.lastIndex) {
    token.lastIndex = at;
    const [, found] = token.exec(text) ?? [];
    if (found === undefined) throw invalid(`Syntax error; token: "${text.slice(at).trim().slice(0, 20)}"`);
    tokens.push(found);
  }
  return tokens;
};

const comparators: ReadonlySet<string> = new Set(['=', '<>', '<', '<=', '>', '>=']);
const isComparator = (text: string): text is Comparator => comparators.has(text);

const testFunctions: Readonly<Record<string, 'type' | 'begins' | 'contains'>> = {
  attribute_type: 'type',
  begins_with: 'begins',
  contains: 'contains',
};

/** Checks that constants that an operator orders have an order. */
const checkOrder = (operator: string, operands: readonly Operand[]): void => {
  for (const operand of operands)
    if ('value' in operand && orderedBytes(operand.value) === null)
      throw invalid(
        `Incorrect operand type for operator or function; operator: ${operator}, operand type: ${typeOf(operand.value)}`,
      );
};

/** Reads expressions by recursive descent. Source: DynamoDB, "Condition and filter expressions" and "Update expressions". */
export class ExpressionReader {
  private readonly tokens: readonly string[];
  private readonly placeholders: Placeholders;
  private at = 0;
  /** Positions of the last condition in parentheses. */
  private group: readonly [start: number, end: number] = [-1, -1];

  constructor(expression: string, placeholders: Placeholders) {
    this.tokens = tokensOf(expression);
    this.placeholders = placeholders;
  }

  /** Reads to the end of the expression. */
  whole<Result>(read: () => Result): Result {
    const result = read();
    if (this.at < this.tokens.length) throw this.unexpected();
    return result;
  }

  condition(): Condition {
    return this.chain('or', () => this.chain('and', () => this.negation()));
  }

  paths(): readonly Path[] {
    return this.list(() => this.path());
  }

  update(): readonly UpdateAction[] {
    const actions: UpdateAction[] = [];
    const seen = new Set<string>();
    const readers = {
      SET: () => this.setAction(),
      REMOVE: (): UpdateAction => ({ kind: 'remove', path: this.path() }),
      ADD: (): UpdateAction => ({ kind: 'add', path: this.path(), value: this.value() }),
      DELETE: (): UpdateAction => ({ kind: 'delete', path: this.path(), value: this.value() }),
    };
    while (this.at < this.tokens.length) {
      const section = this.next().toUpperCase();
      if (!(section in readers)) throw this.unexpected(-1);
      if (seen.has(section)) throw invalid(`The "${section}" section can only be used once in an update expression;`);
      seen.add(section);
      actions.push(...this.list(readers[section as keyof typeof readers]));
    }
    return actions;
  }

  private unexpected(offset = 0): Error {
    return invalid(`Syntax error; token: "${this.tokens[this.at + offset] ?? '<EOF>'}"`);
  }

  private peek(): string {
    return this.tokens[this.at] ?? '';
  }

  private next(): string {
    const text = this.tokens[this.at];
    if (text === undefined) throw this.unexpected();
    this.at += 1;
    return text;
  }

  /** Skips a token if it is the next one. Keywords have any case. */
  private skips(text: string): boolean {
    if (this.peek().toUpperCase() !== text.toUpperCase()) return false;
    this.at += 1;
    return true;
  }

  private expect(text: string): void {
    if (!this.skips(text)) throw this.unexpected();
  }

  private list<Element>(read: () => Element): readonly Element[] {
    const elements = [read()];
    while (this.skips(',')) elements.push(read());
    return elements;
  }

  private chain(kind: 'and' | 'or', read: () => Condition): Condition {
    const first = read();
    const conditions = [first];
    while (this.skips(kind)) conditions.push(read());
    return conditions.length === 1 ? first : { kind, conditions };
  }

  private negation(): Condition {
    return this.skips('NOT') ? { kind: 'not', condition: this.negation() } : this.test();
  }

  private test(): Condition {
    const start = this.at;
    if (this.skips('(')) {
      const condition = this.condition();
      const [innerStart, innerEnd] = this.group;
      if (innerStart === start + 1 && innerEnd === this.at) throw invalid('The expression has redundant parentheses;');
      this.expect(')');
      this.group = [start, this.at];
      return condition;
    }
    const name = this.peek();
    if (this.tokens[this.at + 1] === '(' && name !== 'size') return this.functionTest(name);
    const left = this.operand();
    if (this.skips('BETWEEN')) {
      const low = this.operand();
      this.expect('AND');
      const high = this.operand();
      checkOrder('BETWEEN', [low, high]);
      return { kind: 'between', operand: left, low, high };
    }
    if (this.skips('IN'))
      return { kind: 'in', operand: left, list: this.inBrackets(() => this.list(() => this.operand())) };
    const by = this.next();
    if (!isComparator(by)) throw this.unexpected(-1);
    const right = this.operand();
    if (by !== '=' && by !== '<>') checkOrder(by, [left, right]);
    return { kind: 'compare', by, left, right };
  }

  private inBrackets<Result>(read: () => Result): Result {
    this.expect('(');
    const result = read();
    this.expect(')');
    return result;
  }

  private pair<Element>(read: () => Element): { readonly left: Element; readonly right: Element } {
    return this.inBrackets(() => {
      const left = read();
      this.expect(',');
      return { left, right: read() };
    });
  }

  private functionTest(name: string): Condition {
    const kind = testFunctions[name];
    if (kind !== undefined) {
      this.at += 1;
      return { kind, ...this.pair(() => this.operand()) };
    }
    if (name !== 'attribute_exists' && name !== 'attribute_not_exists')
      throw invalid(`Invalid function name; function: ${name}`);
    this.at += 1;
    return { kind: 'exists', path: this.inBrackets(() => this.path()), exists: name === 'attribute_exists' };
  }

  private operand(): Operand {
    if (this.peek().startsWith(':')) return { value: this.value() };
    if (this.peek() !== 'size' || this.tokens[this.at + 1] !== '(') return { path: this.path() };
    this.at += 1;
    return { sizeOf: this.inBrackets(() => this.path()) };
  }

  private value(): AttributeValue {
    const text = this.next();
    if (!text.startsWith(':')) throw this.unexpected(-1);
    return this.placeholders.value(text);
  }

  private name(): string {
    const text = this.next();
    if (text.startsWith('#')) return this.placeholders.name(text);
    if (!/^[a-z]/i.test(text)) throw this.unexpected(-1);
    return text;
  }

  private path(): Path {
    const path: (string | number)[] = [this.name()];
    for (;;) {
      if (this.skips('.')) path.push(this.name());
      else if (this.skips('[')) {
        path.push(Number(this.next()));
        this.expect(']');
      } else return path;
    }
  }

  private setAction(): UpdateAction {
    const path = this.path();
    this.expect('=');
    const left = this.updateOperand();
    const kind = this.peek();
    if (kind !== '+' && kind !== '-') return { kind: 'set', path, operand: left };
    this.at += 1;
    return { kind: 'set', path, operand: { kind, left, right: this.updateOperand() } };
  }

  private updateOperand(): UpdateOperand {
    const name = this.peek();
    if (name.startsWith(':')) return { value: this.value() };
    if (this.tokens[this.at + 1] !== '(') return { path: this.path() };
    this.at += 1;
    if (name === 'list_append') return { kind: 'append', ...this.pair(() => this.updateOperand()) };
    if (name !== 'if_not_exists') throw invalid(`Invalid function name; function: ${name}`);
    return this.inBrackets(() => {
      const path = this.path();
      this.expect(',');
      return { kind: 'default', path, otherwise: this.updateOperand() };
    });
  }
}
