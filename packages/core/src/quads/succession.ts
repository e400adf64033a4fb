/**
 * How the dictionaries of a namespace follow one another. Each has a node, which refers to the node
 * of the next one and so keeps no dictionary in memory.
 */
export class Succession {
  private next: Succession | undefined;
  /** Ids above it denote other terms, or none, in the next dictionary. */
  private upTo = Number.POSITIVE_INFINITY;

  /** Records what replaces the dictionary of this node. */
  replacedBy(next: Succession, upTo: number): void {
    this.next = next;
    this.upTo = upTo;
  }

  /**
   * Returns the id up to which a later dictionary has no other terms than this one, although it may
   * lack some; 0 if the dictionary does not follow this one.
   */
  commonWith(later: Succession): number {
    let common = Number.POSITIVE_INFINITY;
    for (let node: Succession = this; node !== later; node = node.next) {
      if (!node.next) return 0;
      common = Math.min(common, node.upTo);
    }
    return common;
  }
}
