import { type Draft, NAMES, type Place } from './draft.ts';
import type { GroupWriter, WrittenGroup } from './group-writer.ts';
import { path, triples, valuesElement } from './patterns.ts';
import { Expressions } from './random-expression.ts';
import { GRAPHS } from './terms.ts';
import { trap } from './traps.ts';

/** The elements of groups; see {@link Draft.enable}. */
export const ELEMENTS: readonly string[] = [
  'path',
  'graph',
  'values',
  'bind',
  'trap',
  'subquery',
  'union',
  'optional',
  'minus',
  'nested',
  'service',
  'filter',
];

/** Writes group graph patterns. */
export class Groups implements GroupWriter {
  readonly draft: Draft;
  readonly subquery: GroupWriter['subquery'];

  constructor(draft: Draft, subquery: GroupWriter['subquery']) {
    this.draft = draft;
    this.subquery = subquery;
  }

  group(place: Place, depth: number, most = 4): WrittenGroup {
    const names = new Set<string>();
    const parts = this.draft.within(names, () => this.parts(place, depth, most));
    return { text: `{ ${parts.join(' ')} }`, names };
  }

  private parts(place: Place, depth: number, most: number): string[] {
    const { draft } = this;
    const { random } = draft;
    const parts: string[] = [];
    // Small inside, so that OPTIONAL and its like find something.
    const isInner = draft.depth > 1;
    const count = random.weighted([
      [isInner ? 8 : 3, 1],
      [5, 2],
      [isInner ? 1 : 3, 3],
      [0.5, 4],
    ]);
    const nests = depth > 0;
    for (let i = 0; i < Math.min(count, most); i++) {
      const isFirst = i === 0;
      const element = (name: string, weight: number, write: () => string): readonly [number, () => string] => [
        draft.has(name) || name === 'triples' ? weight : weight * 0.04,
        write,
      ];
      const write = random.weighted([
        element('triples', isFirst ? 12 : 4, () => triples(draft, place)),
        element('path', 2, () => path(draft, place)),
        element('graph', isFirst ? 2 : 3, () => this.graph(depth)),
        element('values', isFirst ? 1 : 2, () => valuesElement(draft)),
        element('bind', isFirst ? 0.3 : 3, () => this.bind()),
        element('trap', !nests ? 0 : isFirst ? 1.5 : 5, () => trap(this, place)),
        element('subquery', !nests ? 0 : isFirst ? 1 : 2, () => this.subquery(place, depth)),
        element('union', !nests ? 0 : isFirst ? 1 : 3, () => this.union(place, depth)),
        element('optional', !nests ? 0 : isFirst ? 0.5 : 5, () => this.optional(place, depth)),
        element('minus', nests && !isFirst ? 3 : 0, () => `MINUS ${this.group(place, depth - 1, 3).text}`),
        element('nested', nests && !isFirst ? 1 : 0, () => this.nested(place, depth)),
        // A service that cannot be reached is one solution without bindings when it is SILENT
        // (Federated Query section 2.3).
        element('service', nests && !isFirst ? 1 : 0, () => this.service()),
      ]);
      parts.push(write());
    }
    // A filter is for the whole group, wherever it stands.
    if (random.chance(draft.has('filter') ? 0.7 : 0.05))
      parts.splice(random.between(1, parts.length), 0, this.filter(place, depth));
    return parts;
  }

  private optional(place: Place, depth: number): string {
    const { text, names } = this.group(place, depth - 1, 3);
    this.draft.see(names);
    return `OPTIONAL ${text}`;
  }

  private union(place: Place, depth: number): string {
    const count = this.draft.random.weighted([
      [4, 2],
      [1, 3],
    ]);
    const operands = Array.from({ length: count }, () => this.group(place, depth - 1, 2));
    for (const { names } of operands) this.draft.see(names);
    return operands.map(({ text }) => text).join(' UNION ');
  }

  private nested(place: Place, depth: number): string {
    const { text, names } = this.group(place, depth - 1);
    this.draft.see(names);
    return text;
  }

  private service(): string {
    this.draft.see(['?a', '?b']);
    return 'SERVICE SILENT <http://e/service> { ?a <http://e/p> ?b }';
  }

  private graph(depth: number): string {
    const { draft } = this;
    const { random } = draft;
    const graph = random.pick([...GRAPHS, ...draft.graphs]);
    const place = { triples: draft.triplesOf(graph) };
    const name = random.chance(0.6) ? draft.term(graph, 0) : graph;
    if (random.chance(0.12)) return `GRAPH ${name} {}`;
    const { text, names } = this.group(place, random.chance(0.5) ? 0 : depth - 1, 3);
    draft.see(names);
    return `GRAPH ${name} ${text}`;
  }

  private filter(place: Place, depth: number): string {
    const { random, scope } = this.draft;
    if (scope.length > 1 && random.chance(0.4))
      return `FILTER(${this.draft.comparison(random.pick(scope), random.pick(scope))})`;
    return `FILTER(${this.expressions(depth, place).condition()})`;
  }

  private bind(): string {
    const { draft } = this;
    const { random, scope } = draft;
    const open = NAMES.filter((name) => !scope.includes(name));
    const name = open.length > 0 && random.chance(0.6) ? random.pick(open) : draft.newName();
    // A name that is known elsewhere gets its term again, so that it may join.
    const witness = draft.witness(name);
    const text =
      witness && random.chance(0.4) ? witness : random.chance(0.06) ? this.blankNode() : this.expressions(1).any();
    draft.see([name]);
    return `BIND(${text} AS ${name})`;
  }

  private blankNode(): string {
    const { draft } = this;
    draft.makesNodes = true;
    draft.dependsOnOrder = true;
    draft.note('BNODE bound');
    return draft.random.pick(['BNODE("l")', 'BNODE()', 'BNODE(STR(?a))']);
  }

  expressions(depth: number, place: Place = { triples: this.draft.triplesOf('') }): Expressions {
    const { draft } = this;
    const { random } = draft;
    return new Expressions({
      random,
      vocabulary: draft.vocabulary,
      variable: () => {
        // Inside EXISTS, and in an OPTIONAL's own filter, outer names mean something.
        const scope = random.chance(0.2) ? draft.outerScopes : draft.scope;
        return scope.length > 0 && random.chance(0.95) ? random.pick(scope) : random.pick(NAMES);
      },
      nameOfKind: (kind) => draft.nameOfKind(kind),
      pairOfKind: (kind) => draft.pairOfKind(kind),
      pattern: () => (depth > 0 ? this.existsPattern(place, Math.min(depth - 1, 1)) : undefined),
    });
  }

  /**
   * A group of EXISTS: most of what goes wrong there is about outer names, in filters and
   * elsewhere.
   */
  private existsPattern(place: Place, depth: number): string {
    const { random, scope } = this.draft;
    const { text } = this.group(place, depth, 2);
    if (!random.chance(0.4)) return text;
    const inner = /\?\w+/u.exec(text)?.[0];
    if (scope.length === 0 || !inner) return text;
    return `${text.slice(0, -1)} FILTER(${inner} ${random.pick(['=', '!=', '<', '>='])} ${random.pick(scope)}) }`;
  }
}
