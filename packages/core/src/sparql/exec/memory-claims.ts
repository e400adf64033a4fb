/** What counts memory, and throws LIMIT_EXCEEDED when there is too much of it. */
export interface MemoryBudget {
  claimMemory(bytes: number): void;
}

/** The part of a budget that one piece of work claims, to give it back as a whole. */
export class MemoryClaims implements MemoryBudget {
  private readonly budget: MemoryBudget;
  private claimed = 0;

  constructor(budget: MemoryBudget) {
    this.budget = budget;
  }

  claimMemory(bytes: number): void {
    this.claimed += bytes;
    this.budget.claimMemory(bytes);
  }

  release(): void {
    this.budget.claimMemory(-this.claimed);
    this.claimed = 0;
  }
}
