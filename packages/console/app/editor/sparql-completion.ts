import type { Completion, CompletionContext, CompletionResult, CompletionSource } from '@codemirror/autocomplete';
import type { EditorView } from '@codemirror/view';
import type { EditorSources, OfferedName } from './editor-sources.ts';
import { FUNCTION_TEXTS } from './function-texts.ts';
import { KEYWORDS } from './sparql-language.ts';

const WORD = /(?:[?$][\p{L}\p{N}_]*|[\p{L}\p{N}_][\p{L}\p{N}_.-]*:?[\p{L}\p{N}_.%-]*|:[\p{L}\p{N}_.-]*)$/u;
const PREFIX_LINE = /(?:^|\n|>)\s*PREFIX\s+([\p{L}\p{N}_-]*)$/iu;
const DECLARED = /\bPREFIX\s+([\p{L}][\p{L}\p{N}_.-]*)?:\s*<([^<>\s]*)>/giu;

type Position = 'predicate' | 'class' | 'other';

/** Completes keywords, functions, variables, prefixes, and the vocabulary of the worlds. */
export function sparqlCompletion(sources: EditorSources): CompletionSource {
  return async (context: CompletionContext): Promise<CompletionResult | null> => {
    const text = context.state.doc.toString();
    const before = text.slice(0, context.pos);
    if (isInStringOrComment(before)) return null;
    const declaration = PREFIX_LINE.exec(before);
    if (declaration) return prefixDeclarations(sources, context.pos - declaration[1]!.length);
    const word = WORD.exec(before)?.[0] ?? '';
    const from = context.pos - word.length;
    if (/^[?$]/.test(word)) return variables(text, from, word);
    const position = positionOf(before.slice(0, from));
    if (word === '' && !context.explicit && position === 'other') return null;
    // Right after a term there is nothing to complete yet.
    if (word === '' && !context.explicit && !/\s$/.test(before)) return null;
    const { classes, predicates } = await sources.vocabulary();
    if (context.aborted) return null;
    const declared = new Map([...text.matchAll(DECLARED)].map(([, name = '', iri]) => [iri!, name]));
    const names = [
      ...(position === 'class'
        ? []
        : predicates.map((name) => nameOf(name, 'property', declared, sources, position === 'predicate' ? 20 : 0))),
      ...(position === 'predicate'
        ? []
        : classes.map((name) => nameOf(name, 'class', declared, sources, position === 'class' ? 20 : -1))),
    ];
    const others = position === 'class' || word.includes(':') ? [] : words(position);
    const prefixes = word.includes(':')
      ? []
      : [...sources.prefixes()].map(([name, iri]) => prefixOption(name, iri, declared));
    return { from, options: [...names, ...others, ...prefixes], validFor: /^[\p{L}\p{N}_.:%-]*$/u };
  };
}

/** Where a term would stand: the second of a triple, after `a`, or elsewhere. */
function positionOf(before: string): Position {
  const plain = before
    .replace(/#[^\n]*(?:\n|$)/g, '\n')
    .replace(/<[^<>"{}|^`\\\s]*>/g, 'I')
    .replace(/"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/g, 'L');
  const begin = Math.max(plain.lastIndexOf('{'), plain.lastIndexOf('}'), lastDot(plain), plain.lastIndexOf(';'));
  const sign = plain[begin];
  if (!plain.includes('{')) return 'other';
  const terms = plain
    .slice(begin + 1)
    .trim()
    .split(/\s+/)
    .filter(Boolean);
  if (terms.some((term) => /^(?:FILTER|BIND|VALUES|GRAPH|SERVICE|LIMIT|ORDER|GROUP)\b/i.test(term))) return 'other';
  const at = sign === ';' ? terms.length + 1 : terms.length;
  if (at === 1) return 'predicate';
  const predicate = terms[terms.length - 1];
  return at === 2 && (predicate === 'a' || predicate === 'rdf:type') ? 'class' : 'other';
}

/** A period ends a triple if it is no part of a number or name. */
function lastDot(text: string): number {
  const match = /.*\.(?=\s|$)/s.exec(text);
  return match ? match[0].length - 1 : -1;
}

function isInStringOrComment(before: string): boolean {
  const line = before.slice(before.lastIndexOf('\n') + 1).replace(/<[^<>\s]*>/g, '');
  const withoutStrings = line.replace(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g, '');
  return /["'#]/.test(withoutStrings) || /<[^<>\s]*$/.test(line);
}

function variables(text: string, from: number, word: string): CompletionResult {
  const names = new Set(
    [...text.matchAll(/[?$][\p{L}\p{N}_]+/gu)].filter(({ index }) => index !== from).map(([name]) => name),
  );
  names.delete(word);
  return { from, options: [...names].map((label) => ({ label, type: 'variable' })), validFor: /^[?$][\p{L}\p{N}_]*$/u };
}

function nameOf(
  { iri, count }: OfferedName,
  type: string,
  declared: ReadonlyMap<string, string>,
  sources: EditorSources,
  boost: number,
): Completion {
  const end =
    Math.max(iri.lastIndexOf('#'), iri.lastIndexOf('/'), iri.startsWith('urn:') ? iri.lastIndexOf(':') : -1) + 1;
  const namespace = iri.slice(0, end);
  const local = iri.slice(end);
  const known = declared.get(namespace) ?? [...sources.prefixes()].find(([, each]) => each === namespace)?.[0];
  const isShort = known !== undefined && /^[\p{L}\p{N}_](?:[\p{L}\p{N}_.-]*[\p{L}\p{N}_-])?$/u.test(local);
  const label = isShort ? `${known}:${local}` : `<${iri}>`;
  return {
    label,
    type,
    detail: sources.countText(count),
    // The most used first among equally good matches.
    boost: boost + Math.min(9, Math.log10(count + 1)),
    apply: isShort && !declared.has(namespace) ? declaring(known, namespace) : label,
  };
}

function prefixOption(name: string, iri: string, declared: ReadonlyMap<string, string>): Completion {
  const label = `${name}:`;
  return { label, type: 'namespace', detail: iri, boost: -5, apply: declared.has(iri) ? label : declaring(name, iri) };
}

/** Inserts the completion, and declares its prefix at the beginning of the text. */
function declaring(name: string, iri: string) {
  return (view: EditorView, completion: Completion, from: number, to: number) => {
    const declaration = `PREFIX ${name}: <${iri}>\n`;
    view.dispatch({
      changes: [
        { from: 0, insert: declaration },
        { from, to, insert: completion.label },
      ],
      selection: { anchor: from + declaration.length + completion.label.length },
      userEvent: 'input.complete',
    });
  };
}

function prefixDeclarations(sources: EditorSources, from: number): CompletionResult {
  const options = [...sources.prefixes()].map(([name, iri]) => ({ label: `${name}: <${iri}>`, type: 'namespace' }));
  return { from, options, validFor: /^[\p{L}\p{N}_-]*$/u };
}

function words(position: Position): Completion[] {
  return [
    ...KEYWORDS.map((label) => ({ label, type: 'keyword', boost: position === 'predicate' ? -10 : 0 })),
    ...Array.from(FUNCTION_TEXTS, ([label, { parameters, text }]) => ({
      label,
      type: 'function',
      detail: `(${parameters})`,
      info: text,
      apply: `${label}(`,
      boost: -3,
    })),
  ];
}
