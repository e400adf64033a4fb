import { NamedNode } from './term.ts';

/**
 * An IRI that knows its id in the dictionary where it was found last: the IRIs of texts are looked
 * up again and again, and mostly in one dictionary.
 */
export class RememberedIri extends NamedNode {
  #dictionary = 0;
  #id = 0;

  /** Its id in a dictionary; 0 when that is not known. */
  idIn(dictionary: number): number {
    return this.#dictionary === dictionary ? this.#id : 0;
  }

  /**
   * @param dictionary a number that no other dictionary of this process has; ids of it never change
   */
  remember(dictionary: number, id: number): void {
    this.#dictionary = dictionary;
    this.#id = id;
  }
}
