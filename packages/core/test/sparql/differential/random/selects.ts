import { type Draft, NAMES, type Place } from './draft.ts';
import type { GroupWriter, WrittenGroup } from './group-writer.ts';
import { values } from './patterns.ts';
import { NODES } from './terms.ts';

const AGGREGATES = ['COUNT', 'SUM', 'MIN', 'MAX', 'AVG', 'SAMPLE', 'GROUP_CONCAT'];

/** The elements of SELECT; see {@link Draft.enable}. */
export const SELECT_ELEMENTS: readonly string[] = ['aggregation', 'slices', 'calls'];

export interface WrittenSelect {
  readonly text: string;
  /** The same without LIMIT and OFFSET, when any rows will do. */
  readonly unsliced?: string;
}

interface Projection {
  readonly clause: string;
  readonly tail: string;
  /** What may be ordered by. */
  readonly outputs: string[];
}

/** Writes SELECT queries and subqueries. */
export class Selects {
  private readonly draft: Draft;
  private readonly groups: GroupWriter;

  constructor(draft: Draft, groups: GroupWriter) {
    this.draft = draft;
    this.groups = groups;
  }

  select(from: string, place: Place): WrittenSelect {
    const { draft } = this;
    const { random } = draft;
    const where = random.weighted<() => WrittenGroup>([
      [draft.has('calls') ? 3 : 0, () => this.table()],
      [draft.has('slices') ? 1 : 0.02, () => this.onlySubquery(place)],
      [1, () => this.groups.group(place, 3)],
    ])();
    const { clause, tail, outputs } = this.projection(where.names, true);
    const distinct = random.weighted([
      [6, ''],
      [2, 'DISTINCT '],
      [0.5, 'REDUCED '],
    ]);
    const last = random.chance(0.06) && outputs.length > 0 ? values(draft, [random.pick([...where.names, '?a'])]) : '';
    const head = `SELECT ${distinct}${clause} ${from} ${where.text} ${tail}`;
    if (distinct === '' && !draft.makesNodes && random.chance(draft.has('slices') ? 0.6 : 0.03)) {
      // Any rows will do, so long as there are enough.
      return { text: `${head}${this.slice()} ${last}`, unsliced: `${head} ${last}` };
    }
    if (outputs.length === 0 || !random.chance(0.35)) return { text: `${head} ${last}` };
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
    // REDUCED leaves open how many of equal rows come (section 15.3), so that a slice of it would
    // be open too.
    if (draft.makesNodes || distinct === 'REDUCED ' || !random.chance(0.6)) return { text: `${head}${order} ${last}` };
    draft.dependsOnOrder = true;
    const text = `${head}${order}${this.slice()} ${last}`;
    return isTotal ? { text } : { text, unsliced: `${head}${order} ${last}` };
  }

  /**
   * Rows of values for functions, each column of one kind: there is always something to compute.
   */
  private table(): WrittenGroup {
    const { draft } = this;
    const { random, vocabulary } = draft;
    const main = random.weighted(vocabulary.kinds);
    const family = random.chance(0.75) ? random.pick(vocabulary.families[main]) : vocabulary.of[main];
    const names = NAMES.slice(0, random.between(2, 4));
    // Two columns at least are of one kind, to be compared.
    const columns = names.map((name, at) => {
      const kind = at < 2 || random.chance(0.3) ? main : random.weighted(vocabulary.kinds);
      draft.setKind(name, kind);
      if (kind !== main) return vocabulary.of[kind];
      // Of one family, values are often equal or almost so.
      return family;
    });
    const value = (terms: readonly string[]) =>
      random.weighted<() => string>([
        [20, () => random.pick(terms)],
        [2, () => random.pick([...NODES, ...draft.literals])],
        [1, () => 'UNDEF'],
      ])();
    const rows = Array.from({ length: random.between(4, 9) }, () => `(${columns.map(value).join(' ')})`);
    return { text: `{ VALUES (${names.join(' ')}) { ${rows.join(' ')} } }`, names: new Set(names) };
  }

  /** A group of a subquery alone: LIMIT of LIMIT, DISTINCT of DISTINCT and so on. */
  private onlySubquery(place: Place): WrittenGroup {
    const names = new Set<string>();
    return { text: `{ ${this.draft.within(names, () => this.subquery(place, 2))} }`, names };
  }

  subquery(place: Place, depth: number): string {
    const { draft } = this;
    const { random } = draft;
    const where = this.groups.group(place, depth - 1, 3);
    const { clause, tail, outputs } = this.projection(where.names, false);
    const distinct = random.chance(0.3) ? 'DISTINCT ' : '';
    let order = '';
    if (outputs.length > 0 && random.chance(draft.has('slices') ? 0.8 : 0.2)) {
      // Ordered by all that comes out: which rows a LIMIT leaves is then determined.
      order = ` ORDER BY ${outputs.map((name) => (random.chance(0.3) ? `DESC(${name})` : name)).join(' ')}`;
      if (!draft.makesNodes && (clause !== '*' || outputs.length === where.names.size)) {
        order += this.slice();
        draft.dependsOnOrder = true;
      }
    }
    draft.see(outputs);
    return `{ SELECT ${distinct}${clause} WHERE ${where.text} ${tail}${order} }`;
  }

  private slice(): string {
    const { draft } = this;
    const { random } = draft;
    const offset = random.chance(draft.has('slices') ? 0.6 : 0.3) ? ` OFFSET ${random.between(0, 3)}` : '';
    if (offset && random.chance(0.2)) return offset;
    return random.chance(0.5) ? ` LIMIT ${random.between(0, 6)}${offset}` : `${offset} LIMIT ${random.between(0, 6)}`;
  }

  /** SELECT items, and GROUP BY and HAVING with them. */
  private projection(names: ReadonlySet<string>, isTop: boolean): Projection {
    const { draft } = this;
    const { random } = draft;
    const scope = [...names];
    if (random.chance(draft.has('aggregation') ? 0.7 : 0.05)) {
      return draft.within(new Set(scope), () => this.aggregation(scope, isTop));
    }
    const calls = draft.has('calls') && isTop ? random.between(10, 24) : random.chance(0.2) ? 1 : 0;
    if (calls === 0 && random.chance(0.4)) return { clause: '*', tail: '', outputs: scope };
    const outputs = random.some(scope, calls > 1 ? 0.3 : 0.7);
    if (outputs.length === 0) outputs.push(scope.length > 0 ? random.pick(scope) : '?a');
    const items = [...outputs];
    for (let call = 0; call < calls; call++) {
      const name = draft.newName();
      const expressions = this.groups.expressions(2);
      const text = draft.within(new Set(names), () => (calls > 1 ? expressions.anyCall() : expressions.any()));
      items.push(`(${text} AS ${name})`);
      outputs.push(name);
    }
    return { clause: items.join(' '), tail: '', outputs };
  }

  private aggregation(scope: readonly string[], isTop: boolean): Projection {
    const { draft } = this;
    const { random } = draft;
    const keys = random.some(scope, 0.35);
    let groupBy = keys.join(' ');
    if (random.chance(0.15)) {
      const name = draft.newName();
      groupBy += ` (${this.groups.expressions(2).any()} AS ${name})`;
      keys.push(name);
    }
    const outputs = random.some(keys, 0.8);
    const items = [...outputs];
    for (let count = random.between(outputs.length > 0 ? 0 : 1, 3); count > 0; count--) {
      const aggregate = this.aggregate(scope, keys, isTop);
      const name = draft.newName(prefixOf(aggregate));
      items.push(
        random.chance(0.12) && !aggregate.startsWith('GROUP_CONCAT')
          ? `(${aggregate} + 1 AS ${name})`
          : `(${aggregate} AS ${name})`,
      );
      // An unsorted list has no order to compare by.
      if (!name.startsWith('?concat')) outputs.push(name);
    }
    let tail = groupBy ? `GROUP BY ${groupBy}` : '';
    if (random.chance(0.2)) {
      tail += ` HAVING(${random.weighted([
        [3, `COUNT(*) ${random.pick(['>', '<', '='])} ${random.between(1, 3)}`],
        [1, `BOUND(${keys.length > 0 ? random.pick(keys) : '?a'}) || COUNT(*) > 0`],
        [1, `MIN(${random.pick([...scope, '?a'])}) < 3`],
      ])})`;
    }
    return { clause: items.join(' '), tail, outputs };
  }

  /**
   * An aggregate of a table's column with the prefix of its name: any of them, also DISTINCT.
   * @param number the column that has numbers alone, for SUM and AVG
   */
  drilled(keys: readonly string[], column: string, number: string): readonly [prefix: string, text: string] {
    const { draft } = this;
    const { random } = draft;
    // COUNT has more forms than the others.
    const name = random.pick([...AGGREGATES, 'COUNT']);
    const distinct = random.chance(0.5) ? 'DISTINCT ' : '';
    const write = (): string => {
      switch (name) {
        case 'COUNT':
          return `COUNT(${distinct}${random.chance(0.5) ? '*' : column})`;
        case 'SUM':
        case 'AVG':
          return `${name}(${distinct}${random.chance(0.85) ? number : column})`;
        case 'SAMPLE':
          return `SAMPLE(${distinct}${keys.length > 0 && random.chance(0.7) ? keys[0] : '"all"'})`;
        case 'GROUP_CONCAT':
          return `GROUP_CONCAT(${distinct}${random.chance(0.7) ? `STR(${column})` : column}; SEPARATOR = "|")`;
        default:
          // Which of two equal numbers is the least is open, and so is the order of other terms.
          draft.dependsOnOrder = true;
          return `${name}(${distinct}${column})`;
      }
    };
    const text = write();
    return [prefixOf(text), text];
  }

  private aggregate(scope: readonly string[], keys: readonly string[], isTop: boolean): string {
    const { draft } = this;
    const { random } = draft;
    const name = random.pick(isTop ? [...AGGREGATES, 'COUNT'] : AGGREGATES.filter((one) => one !== 'GROUP_CONCAT'));
    const distinct = random.chance(0.4) ? 'DISTINCT ' : '';
    if (name === 'COUNT' && random.chance(0.55)) return `COUNT(${distinct}*)`;
    const plain = scope.length > 0 ? random.pick(scope) : '?a';
    // Which value a sample takes is open, so it is taken of what is the same throughout the group.
    if (name === 'SAMPLE') return `SAMPLE(${distinct}${keys.length > 0 ? random.pick(keys) : '1'})`;
    if (name === 'MIN' || name === 'MAX') draft.dependsOnOrder = true;
    if (name === 'GROUP_CONCAT') {
      return `GROUP_CONCAT(${distinct}${random.chance(0.7) ? `STR(${plain})` : plain}; SEPARATOR = "|")`;
    }
    const isSum = name === 'SUM' || name === 'AVG';
    const argument = random.weighted<() => string>([
      [isSum ? 3 : 7, () => plain],
      [3, () => this.groups.expressions(2).number()],
      // What adds up whatever it is of.
      [isSum ? 3 : 0, () => random.pick([`STRLEN(STR(${plain}))`, `IF(isNumeric(${plain}), ${plain}, 2.5)`])],
    ])();
    return `${name}(${distinct}${argument})`;
  }
}

/** A name that says how its values compare; see `answer.ts`. */
function prefixOf(aggregate: string): string {
  if (aggregate.startsWith('GROUP_CONCAT')) return 'concat';
  return /^(?:SUM|AVG)/.test(aggregate) ? 'sum' : 'v';
}
