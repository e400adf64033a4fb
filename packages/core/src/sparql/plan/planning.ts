/**
 * A kernel that makes a part of a plan: it yields between steps that take a fraction of a millisecond together, so that planning a long query does not hold
 * the event loop. Short queries never see a yield.
 */
export type Planning<Result> = Generator<void, Result, void>;
