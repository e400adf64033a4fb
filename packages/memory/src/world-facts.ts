import { dataFactory, type Worlds, WorldsError } from '@rdf-worlds/core';
import type * as RDF from '@rdfjs/types';
import { changeWorld } from './change-world.ts';
import { type Fact, type FactContext, heldAt, type NewFact, type Triple } from './fact.ts';
import { newFactId } from './fact-id.ts';
import { dateTime, factQuad, factQuads, factTerm } from './fact-quads.ts';
import { FACT_IRIS, TIMED_GRAPH } from './memory-vocabulary.ts';
import { type FactReadOptions, readFactsAbout, readFactsOf, readFactsOfTriple, tooManyFacts } from './read-facts.ts';
import { requireWorldOf } from './require-world.ts';
import { tripleKey } from './triple-key.ts';
import type { WorldName } from './world-name.ts';

const { literal, namedNode, quad } = dataFactory;
const TIMED = namedNode(TIMED_GRAPH);

/** What facts need of an engine. */
export type FactEngine = Pick<Worlds, 'getWorld' | 'quads' | 'select' | 'write'>;

/** Options of `new WorldFacts`. */
export interface WorldFactsOptions {
  /** The current time in milliseconds. Default: `Date.now`. */
  readonly clock?: (() => number) | undefined;
  /**
   * Facts about one entity that are read, at most; more throw `LIMIT_EXCEEDED`. Default: 10,000.
   */
  readonly maxFacts?: number | undefined;
}

/** What a change did: one commit. */
export interface FactChange {
  /** Facts that the change recorded. */
  readonly recorded: readonly Fact[];
  /** Facts that the change retracted, as they are now. */
  readonly retracted: readonly Fact[];
  /** Facts that were to be remembered and were already known. */
  readonly known: readonly Fact[];
  /** Revision of the world after the change. */
  readonly revision: number;
}

/** Names facts: by id, by triple, or all about an entity. */
export type FactSelector =
  | { readonly id: string }
  | { readonly triple: Triple }
  | { readonly entity: Triple['subject'] };

/** A correction of a fact. */
export interface Correction extends FactContext {
  readonly object: Triple['object'];
  /**
   * `wrong`: the fact never held. `changed`: it held until `since`, and the new one holds from
   * then.
   */
  readonly kind: 'wrong' | 'changed';
  /** For `changed`. Default: now. */
  readonly since?: Date | undefined;
  readonly reason?: string | undefined;
}

/** The changes of one commit, while they are made; see {@link WorldFacts.edit}. */
export interface FactDraft {
  /** Records a fact, as {@link WorldFacts.remember} does. */
  readonly remember: (fact: NewFact) => Promise<void>;
  /** Retracts facts, as {@link WorldFacts.forget} does. */
  readonly forget: (selector: FactSelector, reason?: string) => Promise<void>;
  /** Inserts a quad without provenance, such as a label. */
  readonly insert: (quad: RDF.Quad) => void;
}

/** Options of recording facts. */
export interface FactWriteOptions extends FactReadOptions {
  /** Quads to insert in the same commit, such as labels. */
  readonly insert?: readonly RDF.Quad[] | undefined;
}

/** Options of reading what was known at a time. */
export interface PastOptions extends FactReadOptions {
  readonly recordedAt?: Date | undefined;
  readonly plainAt?: Date | undefined;
}

const DEFAULT_MAX_FACTS = 10_000;

/**
 * The facts of one world. Nothing is overwritten: a correction or a retraction keeps the old fact
 * with the time at which it was given up. Every change is one commit.
 */
export class WorldFacts {
  readonly world: WorldName;
  private readonly engine: FactEngine;
  private readonly clock: () => number;
  private readonly maxFacts: number;

  constructor(
    engine: FactEngine,
    world: WorldName,
    { clock = Date.now, maxFacts = DEFAULT_MAX_FACTS }: WorldFactsOptions = {},
  ) {
    requireWorldOf('WorldFacts', engine, world);
    this.maxFacts = maxFacts;
    this.engine = engine;
    this.world = world;
    this.clock = clock;
  }

  /**
   * Records facts. A fact that is known already, with the same sources, times and confidence, is
   * not recorded again. Throws `INVALID_ARGUMENT`, `NOT_FOUND`, `QUOTA_EXCEEDED`.
   */
  async remember(facts: readonly NewFact[], { insert = [], signal }: FactWriteOptions = {}): Promise<FactChange> {
    for (const [i, fact] of facts.entries()) {
      requireEntity(fact, `facts[${i}]`);
      requireContext(fact, `facts[${i}]`);
    }
    const work = async (draft: FactDraft) => {
      for (const quad of insert) draft.insert(quad);
      for (const fact of facts) await draft.remember(fact);
    };
    return (await this.edit(work, { signal })).change;
  }

  /** Retracts facts: they are no longer believed, and stay in the history. */
  async forget(
    selectors: readonly FactSelector[],
    { reason, signal }: FactReadOptions & { readonly reason?: string | undefined } = {},
  ): Promise<FactChange> {
    const work = async (draft: FactDraft) => {
      for (const selector of selectors) await draft.forget(selector, reason);
    };
    return (await this.edit(work, { signal })).change;
  }

  /** Deletes facts with their history, which no longer shows that they existed. */
  async erase(selectors: readonly FactSelector[], options: FactReadOptions = {}): Promise<FactChange> {
    const work = async (_: FactDraft, edit: FactEdit) => {
      for (const selector of selectors) {
        for (const fact of await this.select(selector, { ...options, withRetracted: true })) await edit.erase(fact);
      }
    };
    return (await this.change(work, options)).change;
  }

  /**
   * Runs changes that depend on what is stored, as one commit. If another writer commits meanwhile,
   * `work` runs again with an empty draft; what it reads is the state before the edit.
   */
  edit<Result>(
    work: (draft: FactDraft) => Promise<Result>,
    options: FactReadOptions = {},
  ): Promise<{ readonly result: Result; readonly change: FactChange }> {
    return this.change(work, options);
  }

  /**
   * Replaces the object of a fact, which stays in the history. Throws `NOT_FOUND` if there is no
   * such fact, `CONFLICT` if it was retracted already.
   */
  async correct(
    selector: FactSelector,
    { object, kind, since, reason, ...context }: Correction,
    options: FactWriteOptions = {},
  ): Promise<FactChange> {
    requireContext(context, 'correction');
    const work = async (draft: FactDraft, edit: FactEdit) => {
      for (const quad of options.insert ?? []) draft.insert(quad);
      const facts = await this.select(selector, options);
      if (facts.length === 0) throw await this.nothingToCorrect(selector, options);
      const changedAt = since ?? edit.now;
      for (const fact of facts) {
        if (kind === 'changed' && fact.validFrom && fact.validFrom >= changedAt) {
          throw new WorldsError(
            'INVALID_ARGUMENT',
            `since: the fact holds only from ${fact.validFrom.toISOString()}; pass a later time, or kind "wrong" if it never held.`,
          );
        }
        await edit.retract(fact, reason);
        const old = { revisionOf: edit.idOf(fact) };
        if (kind === 'changed') edit.record({ ...fact, validUntil: earlier(fact.validUntil, changedAt) }, old, []);
      }
      const [first] = facts;
      const { subject, predicate } = first;
      const validFrom = context.validFrom ?? (kind === 'changed' ? changedAt : first.validFrom);
      const validUntil = context.validUntil ?? (kind === 'changed' ? undefined : first.validUntil);
      const others = await readFactsOfTriple(this.engine, this.world, { subject, predicate, object }, options);
      edit.record(
        { ...context, subject, predicate, object, validFrom, validUntil },
        { revisionOf: edit.idOf(first) },
        others,
      );
    };
    return (await this.change(work, options)).change;
  }

  /**
   * Returns everything that is or was known about an entity, by the time it was recorded: first the
   * triples without provenance. With `recordedAt` as it was known then: without later facts and
   * retractions; with `plainAt`, triples without provenance are as the engine's history has them at
   * that time, and otherwise as they are now. Throws `TRUNCATED` if that is no longer kept.
   */
  async history(entity: Triple['subject'], { recordedAt, plainAt, ...options }: PastOptions = {}): Promise<Fact[]> {
    const facts = await readFactsAbout(this.engine, this.world, entity, { ...options, maxFacts: this.maxFacts });
    const known = recordedAt ? facts.flatMap((fact) => asKnownAt(fact, recordedAt)) : facts;
    // What was recorded later does not speak for a triple that was there without provenance.
    const keys = new Set((plainAt ? known : facts).map(tripleKey));
    const plain = await this.plainFacts(entity, { ...options, at: plainAt }).catch((error: unknown) => {
      // The world is newer than that moment.
      if (plainAt && error instanceof WorldsError && error.code === 'NOT_FOUND') return [];
      throw error;
    });
    return [...(keys.size === 0 ? plain : plain.filter((fact) => !keys.has(tripleKey(fact)))), ...known];
  }

  /**
   * Returns what was believed at one time (`recordedAt`) to hold at another (`validAt`). Both
   * default to now. Triples without provenance as in {@link history}.
   */
  async stateAt(
    entity: Triple['subject'],
    { validAt, recordedAt, ...options }: PastOptions & { readonly validAt?: Date | undefined },
  ): Promise<Fact[]> {
    const now = new Date(this.clock());
    const times = { validAt: validAt ?? now, recordedAt: recordedAt ?? now };
    return (await this.history(entity, { ...options, recordedAt })).filter((fact) => heldAt(fact, times));
  }

  /** Returns the facts of one id; none if there is no such fact. */
  async find(id: string, options: FactReadOptions = {}): Promise<Fact[]> {
    return readFactsOf(this.engine, this.world, id, options);
  }

  /**
   * Returns the facts of a triple, retracted ones included; for a triple without provenance that is
   * in the default graph, the one fact that nothing is known of.
   */
  async factsOf(triple: Triple, options: FactReadOptions = {}): Promise<Fact[]> {
    const facts = await readFactsOfTriple(this.engine, this.world, triple, options);
    if (facts.some(({ retractedAt }) => !retractedAt)) return facts;
    const { subject, predicate, object } = triple;
    const pattern = { source: this.world, subject, predicate, object, graph: dataFactory.defaultGraph() };
    for await (const _ of this.engine.quads({ ...pattern, signal: options.signal }))
      return [...facts, plainFact(triple)];
    return facts;
  }

  /** Returns the triples of an entity in the default graph, as facts that nothing is known of. */
  private async plainFacts(
    entity: Triple['subject'],
    { signal, at }: FactReadOptions & { readonly at?: Date | undefined },
  ): Promise<Fact[]> {
    const facts: Fact[] = [];
    const pattern = { source: this.world, subject: entity, graph: dataFactory.defaultGraph(), signal, at };
    for await (const quad of this.engine.quads(pattern)) {
      if (facts.length === this.maxFacts) throw tooManyFacts(this.maxFacts);
      facts.push(plainFact(quad as unknown as Triple));
    }
    return facts;
  }

  /** Returns the facts that a selector names; by default those that are believed. */
  private async select(
    selector: FactSelector,
    { withRetracted = false, ...options }: FactReadOptions & { readonly withRetracted?: boolean },
  ): Promise<Fact[]> {
    const isSelected = (fact: Fact) => withRetracted || !fact.retractedAt;
    if ('id' in selector) return (await this.find(selector.id, options)).filter(isSelected);
    if ('entity' in selector) return (await this.history(selector.entity, options)).filter(isSelected);
    return (await this.factsOf(selector.triple, options)).filter(isSelected);
  }

  private async nothingToCorrect(selector: FactSelector, options: FactReadOptions): Promise<WorldsError> {
    const old = 'id' in selector ? await this.find(selector.id, options) : [];
    if (old.length > 0) {
      return new WorldsError(
        'CONFLICT',
        'The fact was retracted already; look at the history of the entity for the one that replaced it.',
      );
    }
    return new WorldsError('NOT_FOUND', 'There is no such fact; look at the entity to see its facts with their ids.');
  }

  private change<Result>(
    work: (draft: FactDraft, edit: FactEdit) => Promise<Result>,
    { signal }: FactReadOptions,
  ): Promise<{ readonly result: Result; readonly change: FactChange }> {
    const { engine, world } = this;
    return changeWorld(
      engine,
      world,
      async ({ revision: before }) => {
        const edit = new FactEdit(new Date(this.clock()), {
          factsOf: (triple) => readFactsOfTriple(engine, world, triple, { signal }),
          quadsOf: (id) => engine.quads({ source: world, subject: factTerm(id), signal }),
        });
        const result = await work(this.draft(edit, { signal }), edit);
        const { recorded, retracted, known } = edit;
        const resultAt = (revision = before) => ({ result, change: { recorded, retracted, known, revision } });
        return { ...edit.quads(), resultAt };
      },
      signal,
    );
  }

  private draft(edit: FactEdit, options: FactReadOptions): FactDraft {
    return {
      insert: (quad) => edit.insert(quad),
      remember: async (fact) => {
        requireEntity(fact, 'fact');
        requireContext(fact, 'fact');
        const others = await readFactsOfTriple(this.engine, this.world, fact, options);
        const known = others.find((other) => !other.retractedAt && saysTheSame(other, fact));
        if (known) edit.known.push(known);
        else edit.record(fact, {}, others);
      },
      forget: async (selector, reason) => {
        for (const fact of await this.select(selector, options)) await edit.retract(fact, reason);
      },
    };
  }
}

/** Reads what a change has to know of the world. */
interface FactReader {
  readonly factsOf: (triple: Triple) => Promise<Fact[]>;
  readonly quadsOf: (id: string) => AsyncIterable<RDF.Quad>;
}

/** The changes of one commit, collected. */
class FactEdit {
  readonly recorded: Fact[] = [];
  readonly retracted: Fact[] = [];
  readonly known: Fact[] = [];
  readonly now: Date;
  private readonly reader: FactReader;
  private readonly inserted: RDF.Quad[] = [];
  private readonly deleted: RDF.Quad[] = [];
  /** The triples whose facts change, with all facts that they will have. */
  private readonly triples = new Map<string, { triple: Triple; facts: Map<string, Fact>; hasLost: boolean }>();
  /** Ids given to triples that had no provenance until they were retracted. */
  private readonly given = new Map<string, string>();

  constructor(now: Date, reader: FactReader) {
    this.now = now;
    this.reader = reader;
  }

  insert(quad: RDF.Quad): void {
    this.inserted.push(quad);
  }

  record(fact: NewFact, { revisionOf }: { readonly revisionOf?: string | undefined }, others: readonly Fact[]): void {
    const { subject, predicate, object, sources = [], validFrom, validUntil, confidence } = fact;
    const recorded = {
      id: newFactId(this.now.getTime()),
      ...{ subject, predicate, object, sources, validFrom, validUntil, confidence, revisionOf },
      recordedAt: this.now,
      retractedAt: undefined,
      reason: undefined,
    };
    this.recorded.push(recorded);
    this.inserted.push(...factQuads(recorded));
    this.touch(recorded, others).facts.set(recorded.id, recorded);
  }

  async retract(fact: Fact, reason: string | undefined): Promise<void> {
    const isPlain = fact.id === undefined;
    const id = fact.id ?? newFactId(this.now.getTime());
    // The selectors of one call may name a fact twice.
    if (this.retracted.some((other) => other.id === id && tripleKey(other) === tripleKey(fact))) return;
    if (isPlain && this.given.has(tripleKey(fact))) return;
    const retracted = { ...fact, id, retractedAt: this.now, reason };
    if (isPlain) {
      this.given.set(tripleKey(fact), id);
      this.inserted.push(...factQuads(retracted));
    } else {
      this.inserted.push(factQuad(id, 'retractedAt', dateTime(this.now)));
      if (reason !== undefined) this.inserted.push(factQuad(id, 'reason', literal(reason)));
    }
    this.retracted.push(retracted);
    const touched = this.touch(fact, await this.reader.factsOf(fact));
    touched.hasLost = true;
    touched.facts.set(id, retracted);
  }

  async erase(fact: Fact): Promise<void> {
    this.retracted.push(fact);
    const touched = this.touch(fact, await this.reader.factsOf(fact));
    touched.hasLost = true;
    if (fact.id === undefined) return;
    touched.facts.delete(fact.id);
    for await (const quad of this.reader.quadsOf(fact.id)) this.deleted.push(quad);
  }

  /** The id of a fact, or the one it was given when it was retracted. */
  idOf(fact: Fact): string | undefined {
    return fact.id ?? this.given.get(tripleKey(fact));
  }

  /** The quads of the commit: provenance, and the triples that now hold or no longer do. */
  quads(): { insert: RDF.Quad[]; delete: RDF.Quad[] } {
    const insert = [...this.inserted];
    const remove = [...this.deleted];
    for (const { triple, facts, hasLost } of this.triples.values()) {
      const { subject, predicate, object } = triple;
      const believed = [...facts.values()].filter((fact) => !fact.retractedAt);
      const holds = believed.some((fact) => isOpen(fact, this.now));
      const isTimed = believed.some((fact) => !isOpen(fact, this.now));
      const place = (graph: RDF.Quad_Graph, belongs: boolean) => {
        const placed = quad(subject, predicate, object, graph);
        if (belongs) insert.push(placed);
        // A triple without provenance stays when a fact of the same triple is added.
        else if (hasLost) remove.push(placed);
      };
      place(dataFactory.defaultGraph(), holds);
      place(TIMED, isTimed);
    }
    return { insert, delete: remove };
  }

  private touch(triple: Triple, facts: readonly Fact[]) {
    const key = tripleKey(triple);
    let touched = this.triples.get(key);
    if (!touched) {
      const known = facts.flatMap((fact): [string, Fact][] => (fact.id === undefined ? [] : [[fact.id, fact]]));
      this.triples.set(key, (touched = { triple, facts: new Map(known), hasLost: false }));
    }
    return touched;
  }
}

/**
 * Whether the triple of a fact is asserted in the default graph: it holds now and nothing says
 * until when. A triple with an end is kept apart, because nobody would remove it when its time has
 * come.
 */
function isOpen({ validFrom, validUntil }: Fact, now: Date): boolean {
  return validUntil === undefined && (validFrom === undefined || validFrom <= now);
}

function saysTheSame(known: Fact, fact: NewFact): boolean {
  const { sources = [], validFrom, validUntil, confidence } = fact;
  return (
    known.validFrom?.getTime() === validFrom?.getTime() &&
    known.validUntil?.getTime() === validUntil?.getTime() &&
    known.confidence === confidence &&
    known.sources.length === sources.length &&
    sources.every((source) => known.sources.includes(source))
  );
}

function plainFact({ subject, predicate, object }: Triple): Fact {
  return {
    ...{ id: undefined, subject, predicate, object, sources: [], validFrom: undefined, validUntil: undefined },
    ...{ confidence: undefined, recordedAt: undefined, retractedAt: undefined, reason: undefined },
    revisionOf: undefined,
  };
}

/** Returns a fact as it was known at a time; nothing if it was recorded later. */
function asKnownAt(fact: Fact, at: Date): Fact[] {
  if (fact.recordedAt && fact.recordedAt > at) return [];
  const isBelieved = !fact.retractedAt || fact.retractedAt > at;
  return [isBelieved ? { ...fact, retractedAt: undefined, reason: undefined } : fact];
}

function earlier(a: Date | undefined, b: Date): Date {
  return a && a < b ? a : b;
}

/**
 * Throws `INVALID_ARGUMENT` for a triple about a fact, whose properties only this library writes.
 */
function requireEntity({ subject }: Triple, field: string): void {
  if (!subject.value.startsWith(FACT_IRIS)) return;
  throw new WorldsError(
    'INVALID_ARGUMENT',
    `${field}: ${subject.value.slice(0, 100)} is a fact, whose source and times cannot be changed; correct it, or forget it.`,
  );
}

function requireContext({ validFrom, validUntil, confidence }: FactContext, field: string): void {
  if (confidence !== undefined && !(confidence >= 0 && confidence <= 1)) {
    throw new WorldsError('INVALID_ARGUMENT', `${field}: confidence: expected a number from 0 to 1.`);
  }
  if (validFrom && validUntil && validFrom >= validUntil) {
    throw new WorldsError(
      'INVALID_ARGUMENT',
      `${field}: validUntil must be later than validFrom; it is the first moment at which the fact no longer holds.`,
    );
  }
}
