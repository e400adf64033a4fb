import type { Random } from './random.ts';
import { GRAPHS, LITERALS, NODES, PREDICATES, type TextDataset } from './random-dataset.ts';
import { RandomQueries } from './random-query.ts';

/** Writes random update requests over one dataset. */
export class RandomUpdates {
  private readonly random: Random;
  private readonly dataset: TextDataset;
  private readonly use: (feature: string) => void;
  private readonly queries: RandomQueries;
  private operations = 0;

  constructor(random: Random, dataset: TextDataset, use: (feature: string) => void) {
    this.random = random;
    this.dataset = dataset;
    this.use = use;
    this.queries = new RandomQueries(random, dataset, use);
  }

  update(): string {
    const count = this.random.weighted([
      [5, 1],
      [2, 2],
      [1, 3],
    ]);
    return Array.from({ length: count }, () => this.operation()).join(' ;\n');
  }

  private operation(): string {
    this.operations++;
    const { random } = this;
    const [name, write] = random.weighted<readonly [string, () => string]>([
      [2, ['INSERT DATA', () => `INSERT DATA { ${this.data(true)} }`]],
      [2, ['DELETE DATA', () => `DELETE DATA { ${this.data(false)} }`]],
      [3, ['DELETE WHERE', () => `DELETE WHERE { ${this.deletePattern()} }`]],
      [9, ['DELETE/INSERT', () => this.modify()]],
      [1, ['CLEAR', () => `CLEAR ${this.silent()}${this.graphs()}`]],
      [1, ['DROP', () => `DROP ${this.silent()}${this.graphs()}`]],
      [1, ['CREATE', () => `CREATE ${this.silent()}GRAPH ${this.graph()}`]],
      [1, ['ADD', () => `ADD ${this.silent()}${this.operand()} TO ${this.operand()}`]],
      [1, ['MOVE', () => `MOVE ${this.silent()}${this.operand()} TO ${this.operand()}`]],
      [1, ['COPY', () => `COPY ${this.silent()}${this.operand()} TO ${this.operand()}`]],
    ]);
    this.use(name);
    return write();
  }

  private silent(): string {
    return this.random.chance(0.5) ? 'SILENT ' : '';
  }

  private graph(): string {
    return this.random.pick([...GRAPHS, '<http://e/g9>']);
  }

  private operand(): string {
    return this.random.chance(0.3) ? 'DEFAULT' : `${this.random.chance(0.5) ? 'GRAPH ' : ''}${this.graph()}`;
  }

  private graphs(): string {
    return this.random.weighted<() => string>([
      [1, () => 'DEFAULT'],
      [1, () => 'NAMED'],
      [0.5, () => 'ALL'],
      [5, () => `GRAPH ${this.graph()}`],
    ])();
  }

  private data(withBlankNodes: boolean): string {
    const { random } = this;
    const triple = (): string => {
      const known = [...this.dataset.values()]
        .flat()
        .filter(({ subject, object }) => !`${subject}${object}`.includes('_:'));
      if (known.length > 0 && random.chance(0.5)) {
        const { subject, predicate, object } = random.pick(known);
        return `${subject} ${predicate} ${object}`;
      }
      // A label may stand in one INSERT DATA of a request only (section 19.6).
      const node = () => (withBlankNodes && random.chance(0.15) ? `_:n${this.operations}` : random.pick(NODES));
      return `${node()} ${random.pick(PREDICATES)} ${random.chance(0.5) ? node() : random.pick(LITERALS)}`;
    };
    const triples = () => Array.from({ length: random.between(1, 3) }, triple).join(' . ');
    return random.weighted<() => string>([
      [3, triples],
      [3, () => `GRAPH ${this.graph()} { ${triples()} }`],
      [1, () => `${triples()} . GRAPH ${this.graph()} { ${triples()} }`],
    ])();
  }

  private deletePattern(): string {
    const { random } = this;
    const end = (name: string, terms: readonly string[]) => (random.chance(0.5) ? name : random.pick(terms));
    const triple = () =>
      `${end(random.pick(['?a', '?b']), NODES)} ${end('?p', PREDICATES)} ${end(random.pick(['?b', '?c']), [...NODES, ...LITERALS])}`;
    const triples = random.chance(0.7) ? triple() : `${triple()} . ${triple()}`;
    return random.chance(0.4) ? `GRAPH ${random.chance(0.5) ? '?g' : this.graph()} { ${triples} }` : triples;
  }

  private modify(): string {
    const { random } = this;
    const where = this.queries.where();
    const graphTerm = () => (where.names.length > 0 && random.chance(0.3) ? random.pick(where.names) : this.graph());
    const template = (withBlankNodes: boolean) => {
      const triples = this.queries.template(where.names, withBlankNodes);
      return random.chance(0.35) ? `GRAPH ${graphTerm()} { ${triples} }` : triples;
    };
    const parts = random.weighted([
      [2, 'both'],
      [1, 'delete'],
      [2, 'insert'],
    ] as const);
    let text = '';
    if (random.chance(0.2)) {
      this.use('WITH');
      text += `WITH ${this.graph()} `;
    }
    if (parts !== 'insert') text += `DELETE { ${template(false)} } `;
    if (parts !== 'delete') text += `INSERT { ${template(true)} } `;
    if (random.chance(0.15)) {
      this.use('USING');
      text += random
        .some(GRAPHS)
        .map((graph) => `USING ${random.chance(0.4) ? 'NAMED ' : ''}${graph} `)
        .join('');
    }
    return `${text}WHERE ${where.text}`;
  }
}
