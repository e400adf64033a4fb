// Lists phrases in comments, test titles and Markdown that stop readers, with what to write
// instead; exits with 1 if there are any.
//
//   node scripts/check-wording.mjs FILE|FOLDER...
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { commentsOf, proseFilesOf } from './wrap-prose.mjs';

/** To retire a phrase, add a row. */
export const RETIRED = [
  { phrase: /\bwhoever\b/i, instead: 'name who it is: the caller, a reader, another process' },
  { phrase: /\banew\b/i, instead: 'again' },
  { phrase: /\blets? go of\b/i, instead: 'release, evict, drop' },
  { phrase: /\b(is|are|was|be) told of\b/i, instead: 'is notified of' },
  // Right are `..., so many of them ...` and `so many quads that ...`.
  { phrase: /(?<!, )\bso many\b(?!( \w+)? that\b)/i, instead: 'give the number, or say "this many"' },
  { phrase: /\bat hand\b/i, instead: 'current, available' },
  { phrase: /\bthat which\b/i, instead: 'what' },
  { phrase: /\b(is|are|too|so) dear\b/i, instead: 'expensive' },
  { phrase: /\bcomes? back\b/i, instead: 'returns' },
  { phrase: /\bgoes on\b/i, instead: 'continues' },
  // Right are `there is none` and `is none of them`.
  { phrase: /(?<!\bthere )\b(is|are) none\b(?! of\b)/i, instead: 'is not a ..., is invalid' },
  { phrase: /\bnobody but\b/i, instead: 'only' },
  { phrase: /\bby and by\b/i, instead: 'gradually' },
];

/** Any phrase, whatever is around it. */
const SUSPECT = new RegExp(
  RETIRED.map(({ phrase }) => phrase.source.replace(/\(\?<?!(?:[^()]|\([^()]*\))*\)/g, '')).join('|'),
  'i',
);

/** Returns the retired phrases of a text in order, each with its line, counted from 1. */
export function findRetired(text, isMarkdown) {
  const found = [];
  // Few files are parsed, which takes most of the time.
  if (!SUSPECT.test(text.split('\n').map(withoutMarker).join(' '))) return found;
  for (const { line, lines } of isMarkdown ? paragraphsOf(text) : commentsAndTitles(text)) {
    // Without markers, joined lines show phrases that are broken across them.
    const parts = withoutCode(lines).map(withoutMarker);
    const joined = parts.join(' ');
    for (const { phrase, instead } of RETIRED) {
      for (const match of joined.matchAll(new RegExp(phrase, 'gi'))) {
        let before = 0;
        for (let end = parts[0].length; end < match.index; end += 1 + parts[before].length) before++;
        found.push({ line: line + before, phrase: match[0], instead });
      }
    }
  }
  return found.sort((one, other) => one.line - other.line);
}

const withoutMarker = (line) => line.replace(/^\s*(?:\*|\/\/|>)?\s*/, '').trimEnd();

/** Blanks inline code, which may be broken across lines. */
function withoutCode(lines) {
  return lines
    .join('\n')
    .replace(/`[^`]*`/g, (code) => code.replace(/[^\n]/g, '-'))
    .split('\n');
}

function commentsAndTitles(text) {
  const source = ts.createSourceFile('file.ts', text, ts.ScriptTarget.Latest, true);
  return [...commentsByLine(source, text), ...testTitles(source)];
}

/** The names of tests and their groups as `{ line, lines }`, also of `it.each(...)(title)`. */
function testTitles(source) {
  const titles = [];
  const visit = (node) => {
    if (ts.isCallExpression(node) && /^(describe|it|test)\b/.test(node.expression.getText(source))) {
      const [title] = node.arguments;
      if (title && ts.isStringLiteralLike(title)) {
        const { line } = source.getLineAndCharacterOfPosition(title.getStart(source));
        titles.push({ line: line + 1, lines: [title.text] });
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return titles;
}

/** Comments as `{ line, lines }`. Line comments that follow each other are one. */
function commentsByLine(source, text) {
  const comments = [];
  let last;
  for (const comment of commentsOf(source)) {
    const lines = text.slice(comment.pos, comment.end).split('\n');
    const isContinued =
      last !== undefined &&
      last.kind === ts.SyntaxKind.SingleLineCommentTrivia &&
      comment.kind === last.kind &&
      /^\n[ \t]*$/.test(text.slice(last.end, comment.pos));
    if (isContinued) comments.at(-1).lines.push(...lines);
    else comments.push({ line: source.getLineAndCharacterOfPosition(comment.pos).line + 1, lines });
    last = comment;
  }
  return comments;
}

/**
 * Paragraphs of Markdown as `{ line, lines }`, without fenced code and tables: tests compare tables
 * of the reference with strings of the code.
 */
function paragraphsOf(text) {
  const paragraphs = [];
  let fence;
  let isOpen = false;
  for (const [index, line] of text.split('\n').entries()) {
    const mark = /^\s*(```+|~~~+)/.exec(line)?.[1];
    const isProse = fence === undefined && mark === undefined && !/^\s*(\||$)/.test(line);
    if (mark !== undefined && fence === undefined) fence = mark;
    else if (mark?.startsWith(fence)) fence = undefined;
    if (isProse && isOpen) paragraphs.at(-1).lines.push(line);
    else if (isProse) paragraphs.push({ line: index + 1, lines: [line] });
    isOpen = isProse;
  }
  return paragraphs;
}

function main(paths) {
  let count = 0;
  for (const path of paths.flatMap((each) => [...proseFilesOf(each)])) {
    // It holds the phrases themselves.
    if (path.endsWith('check-wording.mjs') || path.endsWith('check-wording.test.ts')) continue;
    for (const { line, phrase, instead } of findRetired(readFileSync(path, 'utf8'), path.endsWith('.md'))) {
      count++;
      console.log(`${relative('.', path)}:${line}: "${phrase}": ${instead}`);
    }
  }
  if (count === 0) return;
  console.error(`${count} phrases are to be rewritten.`);
  process.exitCode = 1;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main(process.argv.slice(2));
