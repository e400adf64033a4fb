import type { Random } from './random.ts';
import { GRAPHS, LITERALS, NODES, PREDICATES, type TextDataset, type TextTriple } from './random-dataset.ts';
import { Expressions } from './random-expression.ts';
import { randomPath } from './random-path.ts';

const NAMES = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => `?${name}`);
const ELEMENTS = [
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
  'filter',
  'aggregation',
  'slices',
];
const AGGREGATES = ['COUNT', 'SUM', 'MIN', 'MAX', 'AVG', 'SAMPLE', 'GROUP_CONCAT'];

/** A query, and what may be compared of its answer. */
export interface RandomQuery {
  readonly text: string;
  readonly form: 'select' | 'ask' | 'construct' | 'describe';
  /** The same query without LIMIT and OFFSET, when its rows have no total order: any of these may come, so many as the slice has. */
  readonly unsliced?: string;
  /** Its answer depends on the order of values that the specification leaves open: other engines may differ. */
  readonly dependsOnOrder: boolean;
}

/** A graph that a pattern is evaluated in: the triples that it may find. */
interface Place {
  readonly triples: readonly TextTriple[];
}

/**
 * Writes random queries over one dataset. Each name stands for a term of the data that it was first used for, so that patterns that share names
 * have a common solution more often than chance would give.
 */
export class RandomQueries {
  private readonly random: Random;
  private readonly dataset: TextDataset;
  private readonly use: (feature: string) => void;
  private witnesses = new Map<string, string>();
  private fresh = 0;
  private dependsOnOrder = false;
  /** New blank nodes have an order of their own in each engine: then nothing is cut off by it. */
  private makesNodes = false;
  /** What this query is mostly made of: with few kinds of elements in each, all their combinations come up (swarm testing, Groce et al., ISSTA 2012). */
  private enabled: ReadonlySet<string> = new Set();
  /** Names in scope of the group that is being written, and of those around it. */
  private scopes: Set<string>[] = [];

  constructor(random: Random, dataset: TextDataset, use: (feature: string) => void) {
    this.random = random;
    this.dataset = dataset;
    this.use = use;
  }

  query(): RandomQuery {
    this.begin();
    const { random } = this;
    const form = random.weighted([
      [16, 'select'],
      [1, 'ask'],
      [1.5, 'construct'],
      [0.7, 'describe'],
    ] as const);
    this.use(form.toUpperCase());
    const [from, place] = this.datasetClause();
    if (form === 'select') return this.select(from, place);
    const where = this.group(place, 2);
    const scope = [...this.scopeOf(where)];
    const { dependsOnOrder } = this;
    switch (form) {
      case 'ask':
        return { form, text: `ASK ${from} ${where.text}`, dependsOnOrder };
      case 'describe': {
        const targets = random.some([...scope, random.pick(NODES)], 0.6).join(' ') || '*';
        return { form, text: `DESCRIBE ${targets} ${from} ${where.text}`, dependsOnOrder };
      }
      case 'construct':
        return { form, text: `CONSTRUCT { ${this.template(scope)} } ${from} ${where.text}`, dependsOnOrder };
    }
  }

  /** A group graph pattern for updates, with the names that it binds. */
  where(): { readonly text: string; readonly names: readonly string[] } {
    this.begin();
    const group = this.group({ triples: this.triplesOf('') }, 2);
    return { text: group.text, names: [...group.names] };
  }

  /** Triples for templates. */
  template(names: readonly string[], withBlankNodes = true): string {
    const { random } = this;
    const name = () => (names.length > 0 ? random.pick(names) : random.pick(NODES));
    const triple = () => {
      const subject = random.weighted<() => string>([
        [5, name],
        [2, () => random.pick(NODES)],
        [withBlankNodes ? 0.6 : 0, () => '_:n'],
      ])();
      const predicate = random.chance(0.15) ? name() : random.pick(PREDICATES);
      const object = random.weighted<() => string>([
        [5, name],
        [2, () => random.pick([...NODES, ...LITERALS])],
        [withBlankNodes ? 0.6 : 0, () => '_:n'],
      ])();
      return `${subject} ${predicate} ${object}`;
    };
    return Array.from({ length: random.between(1, 3) }, triple).join(' . ');
  }

  private begin(): void {
    this.witnesses = new Map();
    this.fresh = 0;
    this.dependsOnOrder = false;
    this.makesNodes = false;
    this.enabled = new Set(this.random.some(ELEMENTS, 0.3).concat('triples'));
    this.scopes = [];
  }

  private triplesOf(graph: string): readonly TextTriple[] {
    return this.dataset.get(graph) ?? [];
  }

  private datasetClause(): readonly [string, Place] {
    const { random } = this;
    if (!random.chance(0.08)) return ['', { triples: this.triplesOf('') }];
    this.use('FROM');
    const defaults = random.some(GRAPHS, 0.6);
    const named = random.some(GRAPHS, 0.5);
    const text = [...defaults.map((graph) => `FROM ${graph}`), ...named.map((graph) => `FROM NAMED ${graph}`)].join(
      ' ',
    );
    if (text === '') return ['', { triples: this.triplesOf('') }];
    return [text, { triples: defaults.flatMap((graph) => this.triplesOf(graph)) }];
  }

  private scopeOf(group: { readonly names: ReadonlySet<string> }): ReadonlySet<string> {
    return group.names;
  }

  // --- SELECT

  private select(from: string, place: Place): RandomQuery {
    const { random } = this;
    const where = random.chance(this.enabled.has('slices') ? 0.55 : 0.01)
      ? this.onlySubquery(place)
      : this.group(place, 3);
    const { clause, tail, outputs } = this.projection(where.names, true);
    const distinct = random.weighted([
      [6, ''],
      [2, 'DISTINCT '],
      [0.5, 'REDUCED '],
    ]);
    if (distinct !== '') this.use(distinct.trim());
    const values = random.chance(0.06) && outputs.length > 0 ? this.values([random.pick([...where.names, '?a'])]) : '';
    const head = `SELECT ${distinct}${clause} ${from} ${where.text} ${tail}`;
    if (distinct === '' && !this.makesNodes && random.chance(this.enabled.has('slices') ? 0.6 : 0.03)) {
      // Any rows will do, so long as there are enough.
      return {
        form: 'select',
        text: `${head}${this.slice()} ${values}`,
        unsliced: `${head} ${values}`,
        dependsOnOrder: this.dependsOnOrder,
      };
    }
    if (outputs.length === 0 || !random.chance(0.35)) {
      return { form: 'select', text: `${head} ${values}`, dependsOnOrder: this.dependsOnOrder };
    }
    this.use('ORDER BY');
    const isTotal = !clause.includes('?concat') && random.chance(0.5);
    const conditions = (isTotal ? outputs : random.some(outputs).concat(random.pick(outputs))).map((name) =>
      random.weighted([
        [3, name],
        [2, `DESC(${name})`],
        [1, `ASC(${name})`],
        [isTotal ? 0 : 1, `STRLEN(STR(${name}))`],
        [isTotal ? 0 : 1, `(${name} + 1)`],
      ]),
    );
    const order = ` ORDER BY ${conditions.join(' ')}`;
    // REDUCED leaves open how many of equal rows come (section 15.3), so that a slice of it would be open too.
    if (this.makesNodes || distinct === 'REDUCED ' || !random.chance(0.6))
      return { form: 'select', text: `${head}${order} ${values}`, dependsOnOrder: this.dependsOnOrder };
    const slice = this.slice();
    return {
      form: 'select',
      text: `${head}${order}${slice} ${values}`,
      ...(isTotal ? {} : { unsliced: `${head}${order} ${values}` }),
      dependsOnOrder: true,
    };
  }

  private slice(): string {
    const { random } = this;
    this.use('LIMIT');
    const offset = random.chance(this.enabled.has('slices') ? 0.6 : 0.3) ? ` OFFSET ${random.between(0, 3)}` : '';
    if (offset) this.use('OFFSET');
    if (offset && random.chance(0.2)) return offset;
    return random.chance(0.5) ? ` LIMIT ${random.between(0, 6)}${offset}` : `${offset} LIMIT ${random.between(0, 6)}`;
  }

  /** SELECT items, and GROUP BY and HAVING with them. `outputs` may be ordered by. */
  private projection(names: ReadonlySet<string>, isTop: boolean): { clause: string; tail: string; outputs: string[] } {
    const { random } = this;
    const scope = [...names];
    if (random.chance(this.enabled.has('aggregation') ? 0.7 : 0.05)) return this.aggregation(scope, isTop);
    if (random.chance(0.4)) return { clause: '*', tail: '', outputs: scope };
    const outputs = random.some(scope, 0.7);
    if (outputs.length === 0) outputs.push(scope.length > 0 ? random.pick(scope) : '?a');
    const items = [...outputs];
    if (random.chance(0.25)) {
      const name = this.newName();
      this.scopes.push(new Set(names));
      items.push(`(${this.expressions(2).any()} AS ${name})`);
      this.scopes.pop();
      outputs.push(name);
      this.use('SELECT AS');
    }
    return { clause: items.join(' '), tail: '', outputs };
  }

  private aggregation(scope: readonly string[], isTop: boolean): { clause: string; tail: string; outputs: string[] } {
    const { random } = this;
    this.scopes.push(new Set(scope));
    const keys = random.some(scope, 0.35);
    let groupBy = keys.join(' ');
    if (random.chance(0.15)) {
      const name = this.newName();
      groupBy += ` (${this.expressions(2).any()} AS ${name})`;
      keys.push(name);
      this.use('GROUP BY AS');
    }
    if (groupBy) this.use('GROUP BY');
    const outputs = random.some(keys, 0.8);
    const items = [...outputs];
    for (let count = random.between(outputs.length > 0 ? 0 : 1, 2); count > 0; count--) {
      const aggregate = this.aggregate(scope, keys, isTop);
      const name = this.newName(aggregate.startsWith('GROUP_CONCAT') ? 'concat' : 'v');
      items.push(
        random.chance(0.12) && name.startsWith('?v') ? `(${aggregate} + 1 AS ${name})` : `(${aggregate} AS ${name})`,
      );
      outputs.push(name);
    }
    let tail = groupBy ? `GROUP BY ${groupBy}` : '';
    if (random.chance(0.2)) {
      this.use('HAVING');
      tail += ` HAVING(${random.weighted([
        [3, `COUNT(*) ${random.pick(['>', '<', '='])} ${random.between(1, 3)}`],
        [1, `BOUND(${keys.length > 0 ? random.pick(keys) : '?a'}) || COUNT(*) > 0`],
        [1, `MIN(${random.pick([...scope, '?a'])}) < 3`],
      ])})`;
    }
    this.scopes.pop();
    // An unsorted list has no order to compare by.
    return { clause: items.join(' '), tail, outputs: outputs.filter((name) => !name.startsWith('?concat')) };
  }

  private aggregate(scope: readonly string[], keys: readonly string[], isTop: boolean): string {
    const { random } = this;
    const name = random.chance(0.15)
      ? 'COUNT'
      : random.pick(isTop ? [...AGGREGATES, 'COUNT'] : AGGREGATES.filter((one) => one !== 'GROUP_CONCAT'));
    this.use(name);
    const distinct = random.chance(0.3) ? 'DISTINCT ' : '';
    if (distinct) this.use('aggregate DISTINCT');
    if (name === 'COUNT' && random.chance(0.55)) return `COUNT(${distinct}*)`;
    const plain = scope.length > 0 ? random.pick(scope) : '?a';
    // Which value a sample takes is open, so it is taken of what is the same throughout the group.
    if (name === 'SAMPLE') return `SAMPLE(${keys.length > 0 ? random.pick(keys) : '1'})`;
    if (name === 'MIN' || name === 'MAX') this.dependsOnOrder = true;
    const argument = random.chance(0.7)
      ? plain
      : name === 'GROUP_CONCAT'
        ? `STR(${plain})`
        : this.expressions(2).number();
    if (name !== 'GROUP_CONCAT') return `${name}(${distinct}${argument})`;
    return `GROUP_CONCAT(${distinct}${argument}; SEPARATOR = "|")`;
  }

  /** A group of a subquery alone: LIMIT of LIMIT, DISTINCT of DISTINCT and so on. */
  private onlySubquery(place: Place): { readonly text: string; readonly names: ReadonlySet<string> } {
    const names = new Set<string>();
    this.scopes.push(names);
    const text = `{ ${this.subquery(place, 2)} }`;
    this.scopes.pop();
    return { text, names };
  }

  private newName(prefix = 'v'): string {
    return `?${prefix}${++this.fresh}`;
  }

  // --- groups

  private group(place: Place, depth: number, most = 4): { readonly text: string; readonly names: ReadonlySet<string> } {
    const { random } = this;
    const names = new Set<string>();
    this.scopes.push(names);
    const parts: string[] = [];
    // Small inside, so that OPTIONAL and its like find something.
    const isInner = this.scopes.length > 1;
    const count = random.weighted([
      [isInner ? 8 : 3, 1],
      [5, 2],
      [isInner ? 1 : 3, 3],
      [0.5, 4],
    ]);
    const nests = depth > 0;
    for (let i = 0; i < Math.min(count, most); i++) {
      const isFirst = i === 0;
      const write = random.weighted<() => string>([
        this.element('triples', isFirst ? 12 : 4, () => this.triples(place)),
        this.element('path', 2, () => this.path(place)),
        this.element('graph', isFirst ? 2 : 3, () => this.graph(depth)),
        this.element('values', isFirst ? 1 : 2, () => this.valuesElement()),
        this.element('bind', isFirst ? 0.3 : 3, () => this.bind()),
        this.element('trap', !nests ? 0 : isFirst ? 1.5 : 5, () => this.trap(place)),
        this.element('subquery', !nests ? 0 : isFirst ? 1 : 2, () => this.subquery(place, depth)),
        this.element('union', !nests ? 0 : isFirst ? 1 : 3, () => this.union(place, depth)),
        this.element('optional', !nests ? 0 : isFirst ? 0.5 : 5, () => this.optional(place, depth)),
        this.element('minus', nests && !isFirst ? 3 : 0, () => this.minus(place, depth)),
        this.element('nested', nests && !isFirst ? 1 : 0, () => this.nested(place, depth)),
      ]);
      parts.push(write());
    }
    // A filter is for the whole group, wherever it stands.
    if (random.chance(this.enabled.has('filter') ? 0.7 : 0.05))
      parts.splice(random.between(1, parts.length), 0, this.filter(place, depth));
    this.scopes.pop();
    return { text: `{ ${parts.join(' ')} }`, names };
  }

  private element(name: string, weight: number, write: () => string): readonly [number, () => string] {
    return [this.enabled.has(name) ? weight : weight * 0.04, write];
  }

  private see(names: Iterable<string>): void {
    const scope = this.scopes[this.scopes.length - 1];
    for (const name of names) scope.add(name);
  }

  /** A name for a term of the data, now and then one that stands for another. */
  private nameFor(term: string): string {
    const { random } = this;
    const known = NAMES.filter((name) => this.witnesses.get(name) === term);
    if (known.length > 0 && random.chance(0.85)) return random.pick(known);
    const open = NAMES.filter((name) => !this.witnesses.has(name));
    const name = open.length > 0 && random.chance(0.9) ? open[0] : random.pick(NAMES);
    if (!this.witnesses.has(name)) this.witnesses.set(name, term);
    return name;
  }

  private term(term: string, constant: number): string {
    if (!term.startsWith('_:') && this.random.chance(constant)) return term;
    const name = this.nameFor(term);
    this.see([name]);
    return name;
  }

  /** A triple of the place, or one that is in no dataset; one that touches what has a name already, if possible. */
  private sample({ triples }: Place): TextTriple {
    const { random } = this;
    if (triples.length === 0 || random.chance(0.04)) {
      return {
        subject: random.pick(NODES),
        predicate: random.pick(PREDICATES),
        object: random.pick([...LITERALS, ...NODES, ...NODES]),
      };
    }
    const known = new Set(this.witnesses.values());
    const touching = triples.filter(({ subject, object }) => known.has(subject) || known.has(object));
    return touching.length > 0 && random.chance(0.8) ? random.pick(touching) : random.pick(triples);
  }

  private triples(place: Place): string {
    const { random } = this;
    this.use('BGP');
    const count = random.weighted([
      [8, 1],
      [4, 2],
      [1, 3],
      [0.3, 4],
    ]);
    return Array.from({ length: count }, () => {
      const { subject, predicate, object } = this.sample(place);
      const s = random.chance(0.05) ? '[]' : this.term(subject, 0.12);
      const p = this.term(predicate, 0.8);
      const o = random.chance(0.05) ? '[]' : this.term(object, 0.15);
      return `${s} ${p} ${o} .`;
    }).join(' ');
  }

  private path(place: Place): string {
    const { subject, object } = this.sample(place);
    const other = this.sample(place);
    const path = randomPath(this.random, this.use);
    // A literal cannot begin what RDF has, but a path may be asked for one.
    const from = this.random.chance(0.15) ? this.term(object, 0.5) : this.term(subject, 0.2);
    const to = this.term(this.random.chance(0.5) ? object : other.object, 0.25);
    return `${from} ${path} ${to} .`;
  }

  private optional(place: Place, depth: number): string {
    this.use('OPTIONAL');
    const inner = this.group(place, depth - 1, 3);
    this.see(inner.names);
    return `OPTIONAL ${inner.text}`;
  }

  private minus(place: Place, depth: number): string {
    this.use('MINUS');
    return `MINUS ${this.group(place, depth - 1, 3).text}`;
  }

  private union(place: Place, depth: number): string {
    this.use('UNION');
    const operands = Array.from(
      {
        length: this.random.weighted([
          [4, 2],
          [1, 3],
        ]),
      },
      () => this.group(place, depth - 1, 2),
    );
    for (const { names } of operands) this.see(names);
    return operands.map(({ text }) => text).join(' UNION ');
  }

  private nested(place: Place, depth: number): string {
    this.use('group');
    const inner = this.group(place, depth - 1);
    this.see(inner.names);
    return inner.text;
  }

  private graph(depth: number): string {
    const { random } = this;
    const graph = random.pick([...GRAPHS, ...[...this.dataset.keys()].filter((name) => name !== '')]);
    const place = { triples: this.triplesOf(graph) };
    const isVariable = random.chance(0.6);
    this.use(isVariable ? 'GRAPH ?g' : 'GRAPH <g>');
    const name = isVariable ? this.term(graph, 0) : graph;
    if (random.chance(0.08)) return `GRAPH ${name} {}`;
    const inner = this.group(place, random.chance(0.5) ? 0 : depth - 1, 3);
    this.see(inner.names);
    return `GRAPH ${name} ${inner.text}`;
  }

  private filter(place: Place, depth: number): string {
    this.use('FILTER');
    const scope = [...this.scopes[this.scopes.length - 1]];
    if (scope.length > 1 && this.random.chance(0.5))
      return `FILTER(${this.comparison(this.random.pick(scope), this.random.pick(scope))})`;
    return `FILTER(${this.expressions(depth, place).condition()})`;
  }

  /** One that is often true: what a filter drops nobody sees. */
  private comparison(one: string, other: string): string {
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

  /** Combinations in which an optimizer goes wrong most easily; chance alone would rarely write them. */
  private trap(place: Place): string {
    const { random } = this;
    const graph = random.pick([...this.dataset.keys()].filter((name) => name !== '').concat(GRAPHS));
    const there = { triples: this.triplesOf(graph) };
    const outer = [...this.scopes[this.scopes.length - 1]];
    const outerName = () => (outer.length > 0 ? random.pick(outer) : random.pick(NAMES));
    const inGraph = (name: string) =>
      `GRAPH ${name} { ${random.chance(0.4) ? this.path(there) : this.triples(there)} }`;
    /** Elements, with a filter that mentions a name of the outside. */
    const filtered = (at: Place, most = 2): string => {
      const group = this.group(at, 0, most);
      this.see(group.names);
      return `${group.text.slice(0, -1)} FILTER(${this.comparison(random.pick([...group.names, '?a']), outerName())}) }`;
    };
    const [name, write] = random.weighted<readonly [string, () => string]>([
      [
        2,
        [
          'graph name of an OPTIONAL',
          () => {
            const variable = this.term(graph, 0);
            return `OPTIONAL { ${random.chance(0.5) ? this.triples(place) : ''} ${inGraph(variable)} } ${inGraph(variable)}`;
          },
        ],
      ],
      [
        1,
        [
          'graph name of a UNION',
          () => {
            const variable = this.term(graph, 0);
            return `{ ${this.triples(place)} } UNION { ${inGraph(variable)} } ${inGraph(variable)}`;
          },
        ],
      ],
      [
        1,
        [
          'graph name of VALUES',
          () => {
            const variable = this.term(graph, 0);
            return `VALUES (${variable}) { (UNDEF) (${graph}) } ${inGraph(variable)}`;
          },
        ],
      ],
      [
        2,
        [
          'filter in a group in OPTIONAL',
          () => `OPTIONAL { ${filtered(place)} ${random.chance(0.5) ? this.triples(place) : ''} }`,
        ],
      ],
      [2, ['filter of OPTIONAL', () => `OPTIONAL ${filtered(place)}`]],
      [
        3,
        [
          'filter behind OPTIONAL',
          () => {
            const { subject, predicate, object } = this.sample(place);
            const bound = this.term(subject, 0);
            const optional = this.term(object, 0);
            return `OPTIONAL { ${bound} ${predicate} ${optional} } FILTER(${this.comparison(bound, optional)})`;
          },
        ],
      ],
      [
        1,
        [
          'UNDEF in OPTIONAL',
          () => {
            const variable = outerName();
            return `OPTIONAL { { ${this.triples(place)} VALUES (${variable}) { (UNDEF) (${random.pick(NODES)}) } FILTER(!BOUND(${variable}) || ${this.comparison(variable, outerName())}) } }`;
          },
        ],
      ],
      [
        5,
        [
          'correlated EXISTS',
          () => {
            this.use('EXISTS');
            const inner = random.weighted<() => string>([
              [2, () => `GRAPH ${this.term(graph, 0.3)} ${filtered(there)}`],
              [2, () => `${filtered(place)} ${this.triples(place)}`],
              [2, () => `${filtered(place)} UNION ${filtered(place)}`],
              [2, () => filtered(place)],
              [1, () => `${this.triples(place)} MINUS ${filtered(place)}`],
              [
                1,
                () =>
                  `${this.triples(place)} OPTIONAL ${filtered(place)} FILTER(${this.comparison(outerName(), random.pick(NAMES))})`,
              ],
              [1, () => this.subquery(place, 1)],
              [1, () => `${this.triples(place)} FILTER ${random.chance(0.5) ? 'NOT ' : ''}EXISTS ${filtered(place)}`],
              [
                2,
                () =>
                  `${outerName()} ${random.pick(PREDICATES)}${random.pick(['*', '?'])} ${random.pick([outerName(), random.pick(NAMES)])} .`,
              ],
            ]);
            // What EXISTS mentions is not in scope outside.
            this.scopes.push(new Set(outer));
            const text = `FILTER ${random.chance(0.5) ? 'NOT ' : ''}EXISTS { ${inner()} }`;
            this.scopes.pop();
            return text;
          },
        ],
      ],
      [
        1,
        [
          'path from what is no node',
          () => {
            const variable = this.newName();
            this.see([variable]);
            const value = random.pick(['"nowhere"', '<http://e/nowhere>', random.pick(LITERALS)]);
            const path = `${variable} ${random.chance(0.5) ? `${random.pick(PREDICATES)}*` : randomPath(random, this.use)} ${random.pick([variable, value, random.pick(NAMES)])} .`;
            const bound = random.chance(0.5)
              ? `BIND(${value} AS ${variable})`
              : `VALUES (${variable}) { (${value}) (${random.pick(NODES)}) }`;
            return `${bound} ${random.weighted([
              [2, `FILTER ${random.chance(0.5) ? 'NOT ' : ''}EXISTS { ${path} }`],
              [1, path],
              [1, `OPTIONAL { ${path} }`],
            ])}`;
          },
        ],
      ],
      [
        1,
        [
          'blank nodes of two groups',
          () => {
            this.makesNodes = true;
            const [one, other, same] = [this.newName(), this.newName(), this.newName()];
            this.see([one, other, same]);
            const label = () => random.pick(['"l"', '"l"', '"m"', 'STR(?a)']);
            const second = random.chance(0.5)
              ? `{ ${this.triples(place)} BIND(BNODE(${label()}) AS ${other}) }`
              : `BIND(BNODE(${label()}) AS ${other})`;
            return `{ ${this.triples(place)} BIND(BNODE(${label()}) AS ${one}) } ${second} BIND(sameTerm(${one}, ${other}) AS ${same})`;
          },
        ],
      ],
      [
        2,
        [
          'ways of a path',
          () => {
            const { subject } = this.sample(place);
            const step = () =>
              random.pick([
                `!${random.pick(PREDICATES)}`,
                `(${random.pick(PREDICATES)}|${random.pick(PREDICATES)})`,
                random.pick(PREDICATES),
                `^${random.pick(PREDICATES)}`,
              ]);
            return `${this.term(subject, 0.2)} (${step()}/${step()}/${step()})|${step()} ${this.term(this.sample(place).object, 0.1)} .`;
          },
        ],
      ],
    ]);
    this.use(name);
    return write();
  }

  private bind(): string {
    this.use('BIND');
    const { random } = this;
    const scope = this.scopes[this.scopes.length - 1];
    const open = NAMES.filter((name) => !scope.has(name));
    const name = open.length > 0 && random.chance(0.6) ? random.pick(open) : this.newName();
    // A name that is known elsewhere gets its term again, so that it may join.
    const witness = this.witnesses.get(name);
    const text =
      witness && !witness.startsWith('_:') && random.chance(0.5)
        ? witness
        : random.chance(0.06)
          ? this.blankNode(['BNODE("l")', 'BNODE()', 'BNODE(STR(?a))'])
          : this.expressions(1).any();
    this.see([name]);
    return `BIND(${text} AS ${name})`;
  }

  private blankNode(expressions: readonly string[]): string {
    this.makesNodes = true;
    this.dependsOnOrder = true;
    this.use('BNODE bound');
    return this.random.pick(expressions);
  }

  private valuesElement(): string {
    const scope = [...this.scopes[this.scopes.length - 1]];
    const names = new Set(
      Array.from({ length: this.random.between(1, 2) }, () => this.random.pick([...scope, ...NAMES])),
    );
    this.see(names);
    return this.values([...names]);
  }

  private values(names: readonly string[]): string {
    const { random } = this;
    this.use('VALUES');
    const value = (name: string) => {
      const witness = this.witnesses.get(name);
      if (witness && !witness.startsWith('_:') && random.chance(0.6)) return witness;
      if (random.chance(0.25)) {
        this.use('UNDEF');
        return 'UNDEF';
      }
      return random.pick([...NODES, ...LITERALS, ...GRAPHS]);
    };
    const rows = Array.from({ length: random.between(0, 3) }, () => `(${names.map(value).join(' ')})`);
    return `VALUES (${names.join(' ')}) { ${rows.join(' ')} }`;
  }

  private subquery(place: Place, depth: number): string {
    const { random } = this;
    this.use('subquery');
    const where = this.group(place, depth - 1, 3);
    const { clause, tail, outputs } = this.projection(where.names, false);
    const distinct = random.chance(0.3) ? 'DISTINCT ' : '';
    let order = '';
    if (outputs.length > 0 && random.chance(this.enabled.has('slices') ? 0.8 : 0.2)) {
      // Ordered by all that comes out: which rows a LIMIT leaves is then determined.
      order = ` ORDER BY ${outputs.map((name) => (random.chance(0.3) ? `DESC(${name})` : name)).join(' ')}`;
      if (!this.makesNodes && (clause !== '*' || outputs.length === where.names.size)) {
        order += this.slice();
        this.use('subquery LIMIT');
        this.dependsOnOrder = true;
      }
    }
    this.see(outputs);
    return `{ SELECT ${distinct}${clause} WHERE ${where.text} ${tail}${order} }`;
  }

  /** A group of EXISTS: most of what goes wrong there is about outer names, in filters and elsewhere. */
  private existsPattern(place: Place, depth: number): string {
    const { text } = this.group(place, depth, 2);
    if (!this.random.chance(0.4)) return text;
    const outer = [...this.scopes[this.scopes.length - 1]];
    const inner = /\?\w+/u.exec(text)?.[0];
    if (outer.length === 0 || !inner) return text;
    const operator = this.random.pick(['=', '!=', '<', '>=']);
    return `${text.slice(0, -1)} FILTER(${inner} ${operator} ${this.random.pick(outer)}) }`;
  }

  private expressions(depth: number, place: Place = { triples: this.triplesOf('') }): Expressions {
    const { random } = this;
    return new Expressions({
      random,
      use: this.use,
      variable: () => {
        const own = [...this.scopes[this.scopes.length - 1]];
        // Inside EXISTS, and in an OPTIONAL's own filter, outer names mean something.
        const scope = random.chance(0.2) ? this.scopes.flatMap((names) => [...names]) : own;
        return scope.length > 0 && random.chance(0.95) ? random.pick(scope) : random.pick(NAMES);
      },
      pattern: () => (depth > 0 ? this.existsPattern(place, Math.min(depth - 1, 1)) : undefined),
    });
  }
}
