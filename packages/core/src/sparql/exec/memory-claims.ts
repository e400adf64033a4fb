import type { MemoryBudget } from '../../model/memory-budget.ts';

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
