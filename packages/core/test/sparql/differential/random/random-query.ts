import { Draft, type Place } from './draft.ts';
import { ELEMENTS, Groups } from './groups.ts';
import { template } from './patterns.ts';
import type { Random } from './random.ts';
import type { RandomDataset } from './random-dataset.ts';
import { SELECT_ELEMENTS, Selects } from './selects.ts';
import { GRAPHS, NODES } from './terms.ts';

/** A query, and what may be compared of its answer. */
export interface RandomQuery {
  readonly text: string;
  /**
   * The same query without LIMIT and OFFSET, if its rows have no total order: the answer may then
   * be any subset of these rows that has the size of the slice.
   */
  readonly unsliced?: string;
  /**
   * True if the answer depends on an order of values that the specification leaves open, so that
   * other engines may differ.
   */
  readonly dependsOnOrder: boolean;
}

/** A WHERE clause, with what templates over it are written with. */
export interface RandomWhere {
  readonly text: string;
  readonly names: readonly string[];
  readonly draft: Draft;
}

/** Writes random queries over one dataset. */
export class RandomQueries {
  private readonly random: Random;
  private readonly data: RandomDataset;
  private readonly note: (feature: string) => void;

  constructor(random: Random, data: RandomDataset, note: (feature: string) => void) {
    this.random = random;
    this.data = data;
    this.note = note;
  }

  query(): RandomQuery {
    const { random } = this;
    const { draft, groups, selects } = this.begin();
    const form = random.weighted([
      [16, 'select'],
      [1, 'ask'],
      [1.5, 'construct'],
      [0.7, 'describe'],
    ] as const);
    const [from, place] = this.datasetClause(draft);
    const write = (): Omit<RandomQuery, 'dependsOnOrder'> => {
      if (form === 'select') return selects.select(from, place);
      const { text, names } = groups.group(place, 2);
      switch (form) {
        case 'ask':
          return { text: `ASK ${from} ${text}` };
        case 'describe': {
          const targets = random.some([...names, random.pick(NODES)], 0.6).join(' ') || '*';
          return { text: `DESCRIBE ${targets} ${from} ${text}` };
        }
        case 'construct':
          return { text: `CONSTRUCT { ${template(draft, [...names])} } ${from} ${text}` };
      }
    };
    const written = write();
    return { ...written, dependsOnOrder: draft.dependsOnOrder };
  }

  /** A group graph pattern for updates, with the names that it binds. */
  where(): RandomWhere {
    const { draft, groups } = this.begin();
    const { text, names } = groups.group({ triples: draft.triplesOf('') }, 2);
    return { text, names: [...names], draft };
  }

  private begin(): { draft: Draft; groups: Groups; selects: Selects } {
    const { random, data } = this;
    const draft = new Draft(random, data, this.note);
    draft.enable([...random.some([...ELEMENTS, ...SELECT_ELEMENTS], 0.3), ...(random.chance(0.2) ? ['calls'] : [])]);
    const groups: Groups = new Groups(draft, (place, depth) => selects.subquery(place, depth));
    const selects = new Selects(draft, groups);
    return { draft, groups, selects };
  }

  private datasetClause(draft: Draft): readonly [string, Place] {
    const { random } = this;
    const none = ['', { triples: draft.triplesOf('') }] as const;
    if (!random.chance(0.12)) return none;
    const defaults = random.some(GRAPHS, 0.6);
    const named = random.some(GRAPHS, 0.5);
    if (defaults.length + named.length === 0) return none;
    if (named.length > 0) draft.alsoEnable('graph');
    const text = [...defaults.map((graph) => `FROM ${graph}`), ...named.map((graph) => `FROM NAMED ${graph}`)].join(
      ' ',
    );
    return [text, { triples: defaults.flatMap((graph) => draft.triplesOf(graph)) }];
  }
}
