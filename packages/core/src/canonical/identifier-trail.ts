const NOT_ISSUED = -1;

/**
 * Temporary identifiers of one walk from a blank node, numbered in order of issue (RDFC-1.0 section
 * 4.5, Issue Identifier). Where the specification copies an issuer, the walk backtracks instead: a
 * copy per permutation would cost the square of the walk's length.
 */
export class IdentifierTrail {
  /** By node. */
  private readonly numbers: Int32Array;
  private readonly issued: number[] = [];

  constructor(nodes: number) {
    this.numbers = new Int32Array(nodes).fill(NOT_ISSUED);
  }

  /** Number of identifiers issued. */
  get length(): number {
    return this.issued.length;
  }

  has(node: number): boolean {
    return this.numbers[node] !== NOT_ISSUED;
  }

  /** Returns the number of a node, issuing one if necessary. */
  issue(node: number): number {
    if (this.numbers[node] === NOT_ISSUED) this.numbers[node] = this.issued.push(node) - 1;
    return this.numbers[node];
  }

  /** Returns the nodes whose identifiers were issued from `length` on, in order. */
  since(length: number): number[] {
    return this.issued.slice(length);
  }

  /** Revokes all identifiers issued from `length` on. */
  backTo(length: number): void {
    while (this.issued.length > length) this.numbers[this.issued.pop()!] = NOT_ISSUED;
  }
}
