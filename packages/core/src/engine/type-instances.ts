import { QuadBatch, WANT_SUBJECT } from '../contracts/quad-batch.ts';
import type { QuadCursor, QuadSource } from '../contracts/quad-source.ts';
import { NO_TERM, type TermId } from '../contracts/term-source.ts';
import type { RequestMemory } from '../model/memory-budget.ts';
import { IdSet } from '../search/id-set.ts';

/** Number of instances listed per unsuccessful lookup: about as much work as the lookup. */
const LISTED_PER_LOOKUP = 128;
/** Upper bound of the memory of a listed instance. */
const INSTANCE_BYTES = 32;

export interface TypeInstancesWork {
  /** Returns the quads of a world; undefined for a world outside the request. */
  readonly viewOf: (world: number) => QuadSource | undefined;
  /** The id of `rdf:type`. */
  readonly type: TermId;
  readonly classes: readonly TermId[];
  /** Upper bound of the ids of subjects. */
  readonly largestId: number;
  readonly memory: RequestMemory;
}

/**
 * The subjects that have one of some types in their world, in any graph.
 *
 * If most candidates of a search have the type, it asks about few subjects; if few have it, about
 * many. Therefore each unsuccessful lookup also lists some instances of the world: few questions
 * cost a few lookups, and many cost at most twice as much as listing all instances first.
 */
export class TypeInstances {
  private readonly work: TypeInstancesWork;
  private readonly worlds = new Map<number, WorldInstances>();
  private lastWorld = -1;
  private lastSubject: TermId = NO_TERM;
  private lastAnswer = false;

  constructor(work: TypeInstancesWork) {
    this.work = work;
  }

  has(world: number, subject: TermId): boolean {
    // The documents of a subject are often neighbours.
    if (subject === this.lastSubject && world === this.lastWorld) return this.lastAnswer;
    let instances = this.worlds.get(world);
    if (!instances) this.worlds.set(world, (instances = new WorldInstances(this.work, world)));
    this.lastAnswer = instances.has(subject);
    this.lastSubject = subject;
    this.lastWorld = world;
    return this.lastAnswer;
  }
}

/** The instances in one world. */
class WorldInstances {
  private readonly work: TypeInstancesWork;
  private readonly view: QuadSource | undefined;
  /** Upper bound of the number of instances. */
  private readonly most: number;
  /** Undefined until the first unsuccessful lookup. */
  private listing: InstanceListing | undefined;
  private isComplete: boolean;

  constructor(work: TypeInstancesWork, world: number) {
    this.work = work;
    this.view = work.viewOf(world);
    let most = 0;
    for (const id of work.classes) most += this.view?.estimate(NO_TERM, work.type, id, NO_TERM) ?? 0;
    this.most = most;
    this.isComplete = most === 0;
  }

  has(subject: TermId): boolean {
    if (this.listing?.has(subject)) return true;
    if (this.isComplete) return false;
    const { type, classes } = this.work;
    for (const id of classes) if (this.view!.count(subject, type, id, NO_TERM) > 0) return true;
    this.listing ??= new InstanceListing(this.work, this.view!, this.most);
    this.isComplete = !this.listing.listMore();
    return false;
  }
}

/** Instances in one world, listed step by step. */
class InstanceListing {
  private readonly work: TypeInstancesWork;
  private readonly cursor: QuadCursor;
  private readonly batch = new QuadBatch(LISTED_PER_LOOKUP, WANT_SUBJECT);
  private readonly listed: IdSet;
  /** The class in progress. */
  private at = 0;
  private isOpen = false;

  constructor(work: TypeInstancesWork, view: QuadSource, most: number) {
    this.work = work;
    this.cursor = view.cursor();
    this.listed = new IdSet(work.largestId, most);
  }

  has(subject: TermId): boolean {
    return this.listed.has(subject);
  }

  /** Lists the next instances. Returns false if all are listed. */
  listMore(): boolean {
    const { type, classes, memory } = this.work;
    const { batch, cursor, listed } = this;
    if (!this.isOpen) cursor.seek(NO_TERM, type, classes[this.at], NO_TERM);
    this.isOpen = cursor.next(batch) > 0;
    if (!this.isOpen) return ++this.at < classes.length;
    memory.claimMemory(batch.length * INSTANCE_BYTES);
    for (let row = 0; row < batch.length; row++) listed.add(batch.subject[row]);
    return true;
  }
}
