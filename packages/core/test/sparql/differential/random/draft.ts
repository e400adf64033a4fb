import type { Random } from './random.ts';
import type { RandomDataset, TextDataset, TextTriple } from './random-dataset.ts';
import { type LiteralKind, NODES, PREDICATES, type Vocabulary } from './terms.ts';

/** The variables that stand for terms of the data. */
export const NAMES = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => `?${name}`);

/** A graph that a pattern is evaluated in: the triples that it may find. */
export interface Place {
  readonly triples: readonly TextTriple[];
}

/** Whether a term can stand in the text of a query: a blank node there is a variable. */
export const isConstant = (term: string) => !term.includes('_:');

/**
 * One query while it is written. Each name stands for a term of the data that it was first used
 * for, so that patterns that share names have a common solution more often than chance would give.
 */
export class Draft {
  readonly random: Random;
  readonly dataset: TextDataset;
  readonly vocabulary: Vocabulary;
  /** Told what a text is made of, where its algebra does not show it. */
  readonly note: (feature: string) => void;
  /** What this query is mostly made of. */
  private enabled: ReadonlySet<string> = new Set();
  private readonly witnesses = new Map<string, string>();
  /** Names in scope of the group that is being written, and of those around it. */
  private scopes: Set<string>[] = [];
  private names = 0;
  /** The kind of the values of a name, where it has but one. */
  private readonly kinds = new Map<string, LiteralKind>();
  /**
   * Its answer depends on the order of values that the specification leaves open: other engines may
   * differ.
   */
  dependsOnOrder = false;
  /** New blank nodes have an order of their own in each engine: then nothing is cut off by it. */
  makesNodes = false;

  constructor(random: Random, data: RandomDataset, note: (feature: string) => void) {
    this.random = random;
    this.dataset = data.merged;
    this.vocabulary = data.vocabulary;
    this.note = note;
  }

  get literals(): readonly string[] {
    return this.vocabulary.literals;
  }

  /**
   * With few kinds of elements in each text, all their combinations come up (swarm testing, Groce
   * et al., ISSTA 2012).
   */
  enable(elements: readonly string[]): void {
    this.enabled = new Set(elements);
  }

  /** Another one besides. */
  alsoEnable(element: string): void {
    this.enabled = new Set([...this.enabled, element]);
  }

  has(element: string): boolean {
    return this.enabled.has(element);
  }

  triplesOf(graph: string): readonly TextTriple[] {
    return this.dataset.get(graph) ?? [];
  }

  /** The names of the graphs that have triples, or are empty. */
  get graphs(): string[] {
    return [...this.dataset.keys()].filter((name) => name !== '');
  }

  /**
   * A triple of the place, or one that is in no dataset; one that touches what has a name already,
   * if possible.
   */
  sample({ triples }: Place): TextTriple {
    const { random } = this;
    if (triples.length === 0 || random.chance(0.04)) {
      return {
        subject: random.pick(NODES),
        predicate: random.pick(PREDICATES),
        object: random.pick([...this.literals, ...NODES, ...NODES]),
      };
    }
    const known = new Set(this.witnesses.values());
    const touching = triples.filter(({ subject, object }) => known.has(subject) || known.has(object));
    return touching.length > 0 && random.chance(0.8) ? random.pick(touching) : random.pick(triples);
  }

  // --- names

  /** What is in scope of the group that is being written. */
  get scope(): string[] {
    return [...(this.scopes.at(-1) ?? [])];
  }

  get outerScopes(): string[] {
    return this.scopes.flatMap((names) => [...names]);
  }

  get depth(): number {
    return this.scopes.length;
  }

  /** Writes with a scope of its own; the names that come into it are added to `names`. */
  within<Text>(names: Set<string>, write: () => Text): Text {
    this.scopes.push(names);
    const text = write();
    this.scopes.pop();
    return text;
  }

  see(names: Iterable<string>): void {
    const scope = this.scopes.at(-1);
    for (const name of names) scope?.add(name);
  }

  /** A name for a term of the data, now and then one that stands for another. */
  nameFor(term: string): string {
    const { random } = this;
    const known = NAMES.filter((name) => this.witnesses.get(name) === term);
    if (known.length > 0 && random.chance(0.85)) return random.pick(known);
    const open = NAMES.filter((name) => !this.witnesses.has(name));
    const name = open.length > 0 && random.chance(0.9) ? open[0] : random.pick(NAMES);
    if (!this.witnesses.has(name)) this.witnesses.set(name, term);
    return name;
  }

  /** A term as itself, or as a name that comes into scope; the parts of a triple term too. */
  term(term: string, constant: number): string {
    if (isConstant(term) && this.random.chance(constant)) return term;
    const parts = /^<<\( (\S+) (\S+) (.+) \)>>$/.exec(term);
    if (parts && this.random.chance(0.6)) {
      const [, subject, predicate, object] = parts;
      return `<<( ${this.term(subject, 0.3)} ${this.term(predicate, 0.5)} ${this.term(object, 0.3)} )>>`;
    }
    const name = this.nameFor(term);
    this.see([name]);
    return name;
  }

  /** The term that a name stands for, when a text can have it. */
  witness(name: string): string | undefined {
    const term = this.witnesses.get(name);
    return term !== undefined && isConstant(term) ? term : undefined;
  }

  /** From here on a name has values of this kind. */
  setKind(name: string, kind: LiteralKind): void {
    this.kinds.set(name, kind);
  }

  /** A name in scope whose values are of this kind. */
  nameOfKind(kind: LiteralKind): string | undefined {
    const names = this.scope.filter((name) => this.kinds.get(name) === kind);
    return names.length > 0 ? this.random.pick(names) : undefined;
  }

  /** Two names in scope whose values are of one kind, or of this kind. */
  pairOfKind(wanted?: LiteralKind): readonly [string, string] | undefined {
    const pairs = this.scope.flatMap((one) =>
      this.scope.flatMap((other): [string, string][] => {
        const kind = one === other ? undefined : this.kinds.get(one);
        if (kind === undefined || kind !== this.kinds.get(other) || (wanted && kind !== wanted)) return [];
        return [[one, other]];
      }),
    );
    return pairs.length > 0 ? this.random.pick(pairs) : undefined;
  }

  newName(prefix = 'v'): string {
    return `?${prefix}${++this.names}`;
  }

  /** One that is often true: what a filter drops nobody sees. */
  comparison(one: string, other: string): string {
    return this.random.weighted([
      [2, `${one} = ${other}`],
      [3, `${one} != ${other}`],
      [1, `${one} <= ${other}`],
      [2, `!sameTerm(${one}, ${other})`],
      [2, `COALESCE(${one} = ${other}, true)`],
      [1, `BOUND(${one}) && ${one} != ${other}`],
      [1, `!BOUND(${one}) || !BOUND(${other})`],
    ]);
  }
}
