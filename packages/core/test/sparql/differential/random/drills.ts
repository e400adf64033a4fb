import { Draft, NAMES } from './draft.ts';
import { Groups } from './groups.ts';
import type { Random } from './random.ts';
import type { RandomDataset } from './random-dataset.ts';
import type { RandomQuery } from './random-query.ts';
import { Selects } from './selects.ts';
import { isPlainNumber, type LiteralKind, NODES } from './terms.ts';

const CALLS = 24;
const AGGREGATES = 8;

/**
 * Writes queries in which function after function, or aggregate after aggregate, is applied to a
 * table of values of the kinds that it takes. The other random queries combine functions with the
 * rest of the language; with these every function often gives a value, also one that few arguments
 * suit.
 */
export class Drills {
  private readonly random: Random;
  private readonly data: RandomDataset;
  private readonly note: (feature: string) => void;

  constructor(random: Random, data: RandomDataset, note: (feature: string) => void) {
    this.random = random;
    this.data = data;
    this.note = note;
  }

  query(): RandomQuery {
    const draft = new Draft(this.random, this.data, this.note);
    const text = this.random.chance(0.35) ? this.aggregation(draft) : this.calls(draft);
    return { text, dependsOnOrder: draft.dependsOnOrder };
  }

  private calls(draft: Draft): string {
    const { random } = this;
    const { vocabulary } = draft;
    // Two columns of numbers and of strings each, to be compared, and one of every other kind.
    const kinds: LiteralKind[] = ['number', 'number', 'string', 'string', ...vocabulary.kinds.map(([, kind]) => kind)];
    const columns = kinds.slice(0, 4).concat(kinds.slice(4).filter((kind) => kind !== 'number' && kind !== 'string'));
    const names = columns.map((_, at) => NAMES[at] ?? `?c${at}`);
    for (const [at, kind] of columns.entries()) draft.setKind(names[at], kind);
    const families = columns.map((kind) => random.pick(vocabulary.families[kind]));
    const row = () => columns.map((kind, at) => random.pick(random.chance(0.5) ? families[at] : vocabulary.of[kind]));
    const rows = Array.from({ length: random.between(3, 5) }, row);
    const groups: Groups = new Groups(draft, () => '');
    const calls = draft.within(new Set(names), () => groups.expressions(0).differentCalls(CALLS));
    const items = calls.map((call) => `(${call} AS ${draft.newName()})`);
    return `SELECT ${items.join(' ')} WHERE { ${tableOf(names, rows)} }`;
  }

  /**
   * Aggregates of a column of numbers, one of strings, one with errors, and of all that is there;
   * by a key, or of all rows.
   */
  private aggregation(draft: Draft): string {
    const { random } = this;
    const { vocabulary } = draft;
    const [key, number, string, other] = NAMES;
    // Sums of these have no order: see `terms.ts`.
    const numbers = random.pick(vocabulary.families.number).filter(isPlainNumber);
    const row = () => [
      random.pick([...NODES.slice(0, 2), 'UNDEF']),
      random.pick(numbers),
      random.pick(vocabulary.of.string),
      random.pick([...vocabulary.literals, 'UNDEF']),
    ];
    const rows = Array.from({ length: random.between(4, 9) }, row);
    const selects = new Selects(draft, new Groups(draft, () => ''));
    const isGrouped = random.chance(0.6);
    const items = Array.from({ length: AGGREGATES }, () => {
      const [prefix, text] = selects.drilled(
        isGrouped ? [key] : [],
        random.pick([number, number, string, other]),
        number,
      );
      return `(${text} AS ${draft.newName(prefix)})`;
    });
    const groupBy = isGrouped ? ` GROUP BY ${key}` : '';
    return `SELECT ${isGrouped ? `${key} ` : ''}${items.join(' ')} WHERE { ${tableOf([key, number, string, other], rows)} }${groupBy}`;
  }
}

const tableOf = (names: readonly string[], rows: readonly (readonly string[])[]) =>
  `VALUES (${names.join(' ')}) { ${rows.map((row) => `(${row.join(' ')})`).join(' ')} }`;
