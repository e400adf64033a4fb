import type { RequestLimits } from '../model/request-limits.ts';
import type { PatternTerm, TemplateQuad, Update, UpdateOperation } from './algebra/algebra.ts';
import { beginsWith, TextTemplates } from './text-templates.ts';

type DataOperation = Extract<UpdateOperation, { readonly type: 'insertData' | 'deleteData' }>;

const DATA = beginsWith(String.raw`(?:INSERT|DELETE)\s+DATA`);

/** By quad: the numbers of the constants that are its subject and object; -1 for other terms. */
type Places = readonly { readonly subject: number; readonly object: number }[];

interface Kept {
  readonly operation: DataOperation;
  readonly places: Places;
}

/**
 * Recognizes texts of INSERT DATA and DELETE DATA that differ from a parsed one in comments and in
 * constant subjects and objects alone, such as those that a program makes from a template.
 */
export class DataTemplates {
  private readonly templates = new TextTemplates<Update, Kept>();

  /** Remembers a parsed update. */
  put(update: Update, baseIri: string | undefined, limits: RequestLimits | undefined): void {
    const [operation] = update.operations;
    if (!update.writtenAs || !isData(operation)) return;
    const places = placesOf(operation.quads, update.writtenAs.constants);
    if (places) this.templates.put(update, baseIri, limits, { operation, places });
  }

  /** Returns the update of a text; undefined if it has to be parsed. */
  find(text: string, baseIri: string | undefined, limits: RequestLimits | undefined): Update | undefined {
    const filled = DATA.test(text) ? this.templates.find(text, baseIri, limits) : undefined;
    if (!filled) return undefined;
    const { kept, terms } = filled;
    const { type, quads } = kept.operation;
    const filledQuads = kept.places.map(({ subject: s, object: o }, i): TemplateQuad => {
      const { subject, predicate, object, graph } = quads[i];
      return { subject: terms[s] ?? subject, predicate, object: terms[o] ?? object, graph };
    });
    return { type: 'update', operations: [{ type, quads: filledQuads }] };
  }
}

function isData(operation: UpdateOperation): operation is DataOperation {
  return operation.type === 'insertData' || operation.type === 'deleteData';
}

/** Returns undefined if a constant may be elsewhere, too. */
function placesOf(quads: readonly TemplateQuad[], constants: readonly { term: unknown }[]): Places | undefined {
  const numbers = new Map(constants.map(({ term }, i) => [term, i]));
  const found = new Set<number>();
  const numberOf = (term: PatternTerm) => {
    const number = numbers.get(term) ?? -1;
    found.add(number);
    return number;
  };
  const places = quads.map(({ subject, object }) => ({ subject: numberOf(subject), object: numberOf(object) }));
  // The terms of a triple term may be those of other quads: an annotation repeats its triple.
  const areNested = quads.some(({ subject, object }) => isNested(subject) || isNested(object));
  found.delete(-1);
  return areNested || found.size < constants.length ? undefined : places;
}

function isNested({ termType }: PatternTerm): boolean {
  return termType === 'Quad' || termType === 'TriplePattern';
}
