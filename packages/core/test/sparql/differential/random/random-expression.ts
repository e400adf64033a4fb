import type { Random } from './random.ts';
import { BOOLEANS, drilledFunctions, functionsOf, NUMERICS, STRINGLIKES, type WriteCall } from './random-functions.ts';
import { type LiteralKind, NODES, PREDICATES, TRIPLE_TERMS, type Vocabulary } from './terms.ts';

/** Where expressions get their variables, constants and patterns from. */
export interface ExpressionSource {
  readonly random: Random;
  readonly vocabulary: Vocabulary;
  /** A variable with its question mark. */
  variable(): string;
  /** One whose values are of a kind, if there is one. */
  nameOfKind(kind: LiteralKind): string | undefined;
  /** Two variables whose values are of one kind, or of this kind, if there are. */
  pairOfKind(kind?: LiteralKind): readonly [string, string] | undefined;
  /** `{ ... }` for EXISTS, or undefined where it would nest too deep. */
  pattern(): string | undefined;
}

type Rows = readonly (readonly [number, WriteCall])[];

/**
 * Writes random expressions: most of their parts are of a kind that fits, some are not, so that
 * errors come up.
 */
export class Expressions {
  readonly random: Random;
  private readonly source: ExpressionSource;
  private readonly rows: Rows;
  private depth = 0;
  /** Whether arguments are to fit more often than not. */
  isDrill = false;

  constructor(source: ExpressionSource) {
    this.source = source;
    this.random = source.random;
    this.rows = functionsOf(source.vocabulary);
  }

  /** Whether nothing may stand here that SPARQL 1.1 does not define. */
  get isStandard(): boolean {
    return this.source.vocabulary.isStandard;
  }

  condition(): string {
    return this.boolean();
  }

  any(): string {
    return this.random.weighted<() => string>([
      [6, () => this.variable()],
      [2, () => this.random.pick(this.source.vocabulary.literals)],
      [1, () => this.random.pick(NODES)],
      [this.depth > 1 ? 0 : 3, () => this.anyCall()],
    ])();
  }

  /** A call of any function there is, each about as often as every other. */
  anyCall(): string {
    return this.call(this.rows);
  }

  /**
   * Returns up to `count` calls, each of a different function. Their arguments are not calls
   * themselves.
   */
  differentCalls(count: number): string[] {
    this.depth += 2;
    this.isDrill = true;
    const calls = drilledFunctions(this.random, this.source.vocabulary, count).map((write) => write(this));
    this.isDrill = false;
    this.depth -= 2;
    return calls;
  }

  boolean(): string {
    const { random } = this;
    if (this.depth < 2 && random.chance(this.depth === 0 ? 0.35 : 0.1)) {
      const pattern = this.source.pattern();
      if (pattern) return `${random.chance(0.5) ? 'NOT ' : ''}EXISTS ${pattern}`;
    }
    if (this.depth > 1)
      return random.weighted<() => string>([
        [4, () => `BOUND(${this.variable()})`],
        [3, () => `isIRI(${this.variable()})`],
        [1, () => 'true'],
      ])();
    return this.call(BOOLEANS);
  }

  number(): string {
    const known = this.ofKind('number');
    if (known) return known;
    return this.random.weighted<() => string>([
      [2, () => this.variable()],
      [3, () => this.random.pick(['1', '2', '0', '2.5', '-0.7', '1.5e0', '-3', '10'])],
      [2, () => this.random.pick(this.source.vocabulary.of.number)],
      [this.depth > 1 ? 0 : 2, () => this.call(NUMERICS)],
    ])();
  }

  string(): string {
    const known = this.ofKind('string');
    if (known) return known;
    return this.random.weighted<() => string>([
      [2, () => this.variable()],
      [4, () => `STR(${this.variable()})`],
      [3, () => this.random.pick(['"x"', '"xy"', '"y"', '"e/"', '""', '"xy"@en', '"é𝒳"', '"Ab c"'])],
      [1, () => this.random.pick(this.source.vocabulary.of.string)],
      [this.depth > 1 ? 0 : 2, () => this.call(STRINGLIKES)],
    ])();
  }

  /** A literal of a kind, of those that fit; or a variable. */
  literal(kind: LiteralKind, fits: (literal: string) => boolean = () => true): string {
    const known = this.ofKind(kind);
    return known ?? this.oneOf(this.source.vocabulary.of[kind].filter(fits));
  }

  /** One of these, or a variable. */
  oneOf(terms: readonly string[]): string {
    return terms.length === 0 || this.random.chance(0.3) ? this.variable() : this.random.pick(terms);
  }

  /** Often a variable whose values are of a kind, where there is one. */
  private ofKind(kind: LiteralKind): string | undefined {
    return this.random.chance(0.6) ? this.source.nameOfKind(kind) : undefined;
  }

  /**
   * Two operands: often two variables whose values are of one kind, else what is written for each.
   */
  pair(write: () => readonly [string, string], kind?: LiteralKind): readonly [string, string] {
    return (this.random.chance(0.5) ? this.source.pairOfKind(kind) : undefined) ?? write();
  }

  /** For IN. */
  list(): string {
    return Array.from({ length: this.random.between(0, 3) }, () => this.any()).join(', ');
  }

  node(): string {
    return this.random.chance(0.15) ? this.any() : this.random.pick([...NODES, ...PREDICATES]);
  }

  triple(): string {
    return this.random.chance(0.2) ? this.any() : this.oneOf(TRIPLE_TERMS);
  }

  variable(): string {
    return this.source.variable();
  }

  private call(rows: Rows): string {
    const write = this.random.weighted(rows);
    this.depth++;
    const text = write(this);
    this.depth--;
    return text;
  }
}
