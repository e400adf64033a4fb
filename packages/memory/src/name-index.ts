import { nameSimilarity, plainName } from './name-similarity.ts';

/** A name that is similar to another one. */
export interface SimilarName<Holder> {
  readonly name: string;
  readonly holder: Holder;
  /** From 0 to 1. */
  readonly similarity: number;
}

/** What a lookup cost. */
export interface LookupWork {
  /** Entries of the lists that were counted. */
  readonly counted: number;
  /** Names that were compared letter by letter. */
  readonly compared: number;
}

/**
 * Names that are compared letter by letter, at most: those that share the most pairs of letters.
 */
const MOST_COMPARED = 500;

/**
 * Names with their holders, found by similar spelling: an index of the pairs of letters that are
 * next to each other, the ends of the name included. An edit changes two of them, so that similar
 * names share many (Ukkonen 1992, q-grams). Only those that do are compared.
 */
export class NameIndex<Holder> {
  /** What the last lookup cost. */
  work: LookupWork = { counted: 0, compared: 0 };
  private readonly names: (string | undefined)[] = [];
  private readonly plain: string[] = [];
  private readonly holders: Holder[] = [];
  private readonly byKey = new Map<string, number>();
  private readonly byPair = new Map<string, number[]>();
  private free: number[] = [];

  /** Number of names. */
  get size(): number {
    return this.byKey.size;
  }

  /**
   * Adds a name; `key` identifies its holder. Returns the number of the name, also if it is there
   * already; undefined if it has nothing that could be compared.
   */
  add(name: string, key: string, holder: Holder): number | undefined {
    const whole = `${key}\n${name}`;
    const known = this.byKey.get(whole);
    if (known !== undefined) return known;
    const plain = plainName(name);
    if (plain === '') return undefined;
    const number = this.names.length;
    this.byKey.set(whole, number);
    this.names.push(name);
    this.plain.push(plain);
    this.holders.push(holder);
    for (const pair of pairsOf(plain)) {
      const list = this.byPair.get(pair);
      if (list) list.push(number);
      else this.byPair.set(pair, [number]);
    }
    return number;
  }

  remove(name: string, key: string): void {
    const whole = `${key}\n${name}`;
    const number = this.byKey.get(whole);
    if (number !== undefined) this.drop(whole, number);
  }

  /** Removes all names but those of these numbers. */
  retain(numbers: ReadonlySet<number>): void {
    for (const [whole, number] of this.byKey) if (!numbers.has(number)) this.drop(whole, number);
  }

  private drop(whole: string, number: number): void {
    this.byKey.delete(whole);
    this.names[number] = undefined;
    this.free.push(number);
  }

  /** Whether more names were removed than there are: a new index then takes much less memory. */
  get isSparse(): boolean {
    return this.free.length > 1_000 && this.free.length > this.size;
  }

  /** Returns the most similar names, best first. */
  similar(name: string, least: number, limit: number): SimilarName<Holder>[] {
    const wanted = plainName(name);
    const pairs = pairsOf(wanted);
    const shared = new Uint8Array(this.names.length);
    let counted = 0;
    for (const pair of pairs) {
      const list = this.byPair.get(pair) ?? [];
      for (const number of list) shared[number]++;
      counted += list.length;
    }
    const byShared: number[][] = Array.from({ length: pairs.size + 1 }, () => []);
    for (let number = 0; number < shared.length; number++)
      if (shared[number] > 0 && this.names[number] !== undefined) byShared[shared[number]].push(number);
    const found: SimilarName<Holder>[] = [];
    let compared = 0;
    for (let count = pairs.size; count > 0 && compared < MOST_COMPARED; count--) {
      for (const number of byShared[count]) {
        const plain = this.plain[number];
        if (!mayBeSimilar(wanted, plain, count, pairs.size, least)) continue;
        if (compared === MOST_COMPARED) break;
        compared++;
        const similarity = nameSimilarity(wanted, plain);
        if (similarity >= least) found.push({ name: this.names[number]!, holder: this.holders[number], similarity });
      }
    }
    this.work = { counted, compared };
    return found.sort((a, b) => b.similarity - a.similarity || (a.name < b.name ? -1 : 1)).slice(0, limit);
  }
}

/** Whether names that share a number of pairs can be similar enough. */
function mayBeSimilar(wanted: string, plain: string, shared: number, pairs: number, least: number): boolean {
  // A name within the other shares all its words, whatever the lengths.
  if (plain.includes(wanted) || wanted.includes(plain)) return true;
  const longer = Math.max(plain.length, wanted.length);
  const edits = Math.floor(longer * (1 - least));
  if (Math.abs(plain.length - wanted.length) > edits) return wanted.includes(' ') || plain.includes(' ');
  // An edit changes two pairs; a swap of neighbours is one edit, and changes three.
  return shared >= pairs - 2 * edits - 1;
}

/** Returns the pairs of neighbouring letters of a plain name, of which the ends are spaces. */
function pairsOf(plain: string): Set<string> {
  const text = ` ${plain} `;
  const pairs = new Set<string>();
  for (let at = 0; at + 1 < text.length && pairs.size < 255; at++) pairs.add(text.slice(at, at + 2));
  return pairs;
}
