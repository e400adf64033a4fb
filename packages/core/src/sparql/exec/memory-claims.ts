import type { MemoryBudget } from '../../model/memory-budget.ts';

/**
 * Tracks what one piece of work claims from a budget, so that all of it can be released together.
 */
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
