import { IriBase, isAbsoluteIri } from '../../model/iri.ts';
import { Context, isObject, type JsonObject, type TermDefinition } from './context.ts';
import type { ContextScope } from './context-scope.ts';
import { AS_TYPE, expandIri } from './expand-iri.ts';
import { hasScheme } from './keywords.ts';
import { type ContextValidator, type Defined, defineSimpleTerm, defineTerm } from './term-definition.ts';
import { invalidJsonLd, type JsonLdWork, type Kernel, type LoadedContext, shown } from './work.ts';

/** Members of a context that are not terms. */
const DIRECTIVES = new Set([
  '@base',
  '@direction',
  '@import',
  '@language',
  '@propagate',
  '@protected',
  '@version',
  '@vocab',
]);

/**
 * Context Processing (JSON-LD 1.1 API section 4.1.2) for one document. Throws INVALID_RDF and
 * LIMIT_EXCEEDED.
 */
export class ContextProcessor implements ContextValidator {
  readonly initial: Context;
  readonly work: JsonLdWork;
  readonly isFrame: boolean;
  private readonly loaded = new Map<string, LoadedContext & { readonly context: unknown }>();
  /** Scoped contexts already validated where they are defined; each is validated once. */
  private readonly validated = new Set<unknown>();

  /** `frame`: the document is a frame, whose contexts may have aliases of framing keywords. */
  constructor(base: IriBase | undefined, work: JsonLdWork, { frame = false } = {}) {
    this.isFrame = frame;
    this.initial = new Context(base ?? null);
    this.initial.sealed = true;
    this.work = work;
  }

  /** Applies a context of the document itself to `active`. */
  *embedded(active: Context, local: unknown, baseUrl: IriBase | undefined): Kernel<Context> {
    return yield* this.process(active, local, { baseUrl });
  }

  /** Returns the context for the value of a property whose term has a scoped context. */
  *scopedToProperty(active: Context, definition: TermDefinition): Kernel<Context> {
    let scoped = active.byProperty.get(definition);
    if (!scoped) {
      const { context, baseUrl } = definition;
      scoped = yield* this.process(active, context, { baseUrl, overrideProtected: true });
      active.byProperty.set(definition, scoped);
    }
    return scoped;
  }

  /** Returns the context for a node whose type is a term with a scoped context. */
  *scopedToType(active: Context, definition: TermDefinition): Kernel<Context> {
    let scoped = active.byType.get(definition);
    if (!scoped) {
      const { context, baseUrl } = definition;
      scoped = yield* this.process(active, context, { baseUrl, propagate: false });
      active.byType.set(definition, scoped);
    }
    return scoped;
  }

  /**
   * Validates the context of a term where it is defined, so that errors are reported even if it is
   * never used.
   */
  *validate(active: Context, context: unknown, { baseUrl, remotes = [] }: ContextScope): Kernel<void> {
    const key = typeof context === 'string' ? this.resolve(context, baseUrl) : context;
    if (key === null || this.validated.has(key)) return;
    this.validated.add(key);
    yield* this.process(active, context, { baseUrl, remotes, overrideProtected: true, validateScoped: false });
  }

  private *process(active: Context, local: unknown, scope: ContextScope): Kernel<Context> {
    this.work.enter();
    let { propagate = true } = scope;
    const { overrideProtected = false } = scope;
    if (isObject(local) && typeof local.get('@propagate') === 'boolean') propagate = local.get('@propagate') as boolean;
    let result = active;
    /** Whether `result` was created here and may be modified. */
    let owned = false;
    if (!propagate && !result.previous) {
      result = result.copy();
      result.previous = active;
      owned = true;
    }
    for (const context of Array.isArray(local) ? local : [local]) {
      if (this.work.step()) yield;
      if (context === null) {
        if (!overrideProtected && result.protectedTerms > 0)
          invalidJsonLd('invalid context nullification: a context of null would remove protected terms');
        const { previous } = result;
        result = this.initial;
        owned = !propagate;
        if (owned) {
          result = result.copy();
          result.previous = previous;
        }
      } else if (typeof context === 'string') {
        result = yield* this.remote(result, context, scope);
        owned = false;
      } else if (isObject(context)) {
        const merged = context.has('@import') ? yield* this.imported(context, scope) : context;
        if (!owned) result = result.copy();
        owned = true;
        yield* this.directives(result, merged, scope);
        yield* this.terms(result, merged, scope);
      } else invalidJsonLd(`invalid local context: ${shown(context)} is not a context`);
    }
    if (owned) this.work.claimTerms(result.seal() / 4);
    this.work.leave();
    return result;
  }

  /** Section 4.1.2, steps 5.5 to 5.11. */
  private *directives(result: Context, context: JsonObject, { remotes = [] }: ContextScope): Kernel<void> {
    const version = context.get('@version');
    if (version !== undefined && version !== 1.1)
      invalidJsonLd(`invalid @version value: ${shown(version)}; it must be the number 1.1`);
    const base = context.get('@base');
    // Step 5.7: the base IRI of a remote context does not apply to the document.
    if (base !== undefined && remotes.length === 0) {
      if (base === null) result.base = null;
      else if (typeof base !== 'string') invalidJsonLd(`invalid base IRI: ${shown(base)} is not a string`);
      else if (isAbsoluteIri(base)) result.base = this.baseOf(base);
      else if (result.base) result.base = this.baseOf(result.base.resolve(base));
      else
        invalidJsonLd(`invalid base IRI: ${shown(base)} is relative, and there is no base IRI to resolve it against`);
    }
    const vocab = context.get('@vocab');
    if (vocab === null) result.vocab = null;
    else if (vocab !== undefined) {
      if (typeof vocab !== 'string') invalidJsonLd(`invalid vocab mapping: ${shown(vocab)} is not an IRI`);
      const iri = expandIri(result, vocab as string, AS_TYPE, this.work.meter);
      if (iri === null) invalidJsonLd(`invalid vocab mapping: ${shown(vocab)} is not an IRI`);
      this.work.meter.claim(iri!);
      result.vocab = iri;
    }
    const language = context.get('@language');
    if (language !== undefined) {
      if (language !== null && typeof language !== 'string')
        invalidJsonLd(`invalid default language: ${shown(language)} is not a string`);
      result.language = language as string | null;
    }
    const direction = context.get('@direction');
    if (direction !== undefined) {
      if (direction !== null && direction !== 'ltr' && direction !== 'rtl')
        invalidJsonLd(`invalid base direction: ${shown(direction)}; it must be "ltr" or "rtl"`);
      result.direction = direction as 'ltr' | 'rtl' | null;
    }
    const propagate = context.get('@propagate');
    if (propagate !== undefined && typeof propagate !== 'boolean')
      invalidJsonLd(`invalid @propagate value: ${shown(propagate)} is not a boolean`);
    const isProtected = context.get('@protected');
    if (isProtected !== undefined && typeof isProtected !== 'boolean')
      invalidJsonLd(`invalid @protected value: ${shown(isProtected)} is not a boolean`);
    if (this.work.step()) yield;
  }

  /** Section 4.1.2, steps 5.12 and 5.13. */
  private *terms(active: Context, local: JsonObject, scope: ContextScope): Kernel<void> {
    const defined: Defined = new Map();
    const isProtected = local.get('@protected') === true;
    const definition = { processor: this, active, local, defined, scope, isProtected };
    for (const term of local.keys()) {
      if (!DIRECTIVES.has(term) && !defineSimpleTerm(definition, term)) yield* defineTerm(definition, term);
      if (this.work.step()) yield;
    }
  }

  /** Section 4.1.2, step 5.2. */
  private *remote(active: Context, reference: string, scope: ContextScope): Kernel<Context> {
    const { remotes = [], overrideProtected, validateScoped = true } = scope;
    const url = this.resolve(reference, scope.baseUrl);
    // Step 5.2.2: a scoped context may refer to the context that contains it.
    if (!validateScoped && remotes.includes(url)) return active;
    const mayKeep = active.sealed && !overrideProtected && validateScoped && remotes.length === 0;
    const kept = mayKeep ? active.byUrl.get(url) : undefined;
    if (kept) return kept;
    const { context, documentUrl } = yield* this.load(url);
    const result = yield* this.process(active, context, {
      baseUrl: new IriBase(documentUrl),
      remotes: [...remotes, url],
      overrideProtected,
      validateScoped,
    });
    if (mayKeep) active.byUrl.set(url, result);
    return result;
  }

  /**
   * Section 4.1.2, step 5.6: returns the context named by `@import`, with its members overridden by
   * this context's.
   */
  private *imported(context: JsonObject, { baseUrl }: ContextScope): Kernel<JsonObject> {
    const reference = context.get('@import');
    if (typeof reference !== 'string') invalidJsonLd(`invalid @import value: ${shown(reference)} is not a string`);
    const { context: imported } = yield* this.load(this.resolve(reference as string, baseUrl));
    if (!isObject(imported))
      return invalidJsonLd(`invalid remote context: ${shown(reference)} does not contain exactly one context`);
    if (imported.has('@import'))
      invalidJsonLd(`invalid context entry: ${shown(reference)} is imported, but imports another context itself`);
    const merged = new Map<string, unknown>();
    for (const members of [imported, context])
      for (const [name, value] of members) {
        if (this.work.step()) yield;
        merged.set(name, value);
      }
    this.work.claimTerms(imported.size);
    merged.delete('@import');
    return merged;
  }

  private *load(url: string): Kernel<LoadedContext & { readonly context: unknown }> {
    const known = this.loaded.get(url);
    if (known) return known;
    this.work.claimRemoteContext();
    const answer = (yield { url })!;
    const { document } = answer;
    if (!isObject(document) || !document.has('@context'))
      invalidJsonLd(`invalid remote context: <${url}> is no JSON object with a @context`);
    const loaded = { ...answer, context: (document as JsonObject).get('@context') };
    this.loaded.set(url, loaded);
    return loaded;
  }

  private resolve(reference: string, baseUrl: IriBase | undefined): string {
    const url = baseUrl ? baseUrl.resolve(reference) : reference;
    this.work.meter.claim(url);
    if (!hasScheme(url))
      invalidJsonLd(
        `loading remote context failed: ${shown(reference)} is relative, and there is no base IRI to resolve it against. Remote contexts are not loaded without a documentLoader`,
      );
    return url;
  }

  private baseOf(iri: string): IriBase {
    this.work.meter.claim(iri);
    return new IriBase(iri);
  }
}
