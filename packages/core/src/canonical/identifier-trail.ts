const NOT_ISSUED = -1;

/**
 * The temporary identifiers of one walk from a blank node, as numbers in the order in which they
 * were issued (RDFC-1.0 section 4.5, Issue Identifier). Where the specification copies an issuer, a
 * walk takes back what it has issued since: a copy for each permutation would cost the square of
 * the walk's length.
 */
export class IdentifierTrail {
  /** By node. */
  private readonly numbers: Int32Array;
  private readonly issued: number[] = [];

  constructor(nodes: number) {
    this.numbers = new Int32Array(nodes).fill(NOT_ISSUED);
  }

  /** How many identifiers are issued. */
  get length(): number {
    return this.issued.length;
  }

  has(node: number): boolean {
    return this.numbers[node] !== NOT_ISSUED;
  }

  /** The number of a node, issued if it has none. */
  issue(node: number): number {
    if (this.numbers[node] === NOT_ISSUED) this.numbers[node] = this.issued.push(node) - 1;
    return this.numbers[node];
  }

  /** The nodes whose identifiers were issued from a length on, in their order. */
  since(length: number): number[] {
    return this.issued.slice(length);
  }

  /** Takes back all identifiers that were issued from a length on. */
  backTo(length: number): void {
    while (this.issued.length > length) this.numbers[this.issued.pop()!] = NOT_ISSUED;
  }
}
