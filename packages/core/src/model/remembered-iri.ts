import { NamedNode } from './term.ts';

/**
 * An IRI that caches its id in the dictionary where it was last found: IRIs of a text are looked up
 * repeatedly, mostly in one dictionary.
 */
export class RememberedIri extends NamedNode {
  #dictionary = 0;
  #id = 0;

  /** Returns its id in a dictionary; 0 if not cached. */
  idIn(dictionary: number): number {
    return this.#dictionary === dictionary ? this.#id : 0;
  }

  /** @param dictionary number unique to the dictionary in this process; its ids never change */
  remember(dictionary: number, id: number): void {
    this.#dictionary = dictionary;
    this.#id = id;
  }
}
