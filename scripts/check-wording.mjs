// Lists phrases in comments and Markdown that stop readers, with what to write instead; exits with 1
// if there are any.
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
  { phrase: /\bso many\b/i, instead: 'give the number, or say "this many"' },
  { phrase: /\bat hand\b/i, instead: 'current, available' },
  { phrase: /\bthat which\b/i, instead: 'what' },
  { phrase: /\b(is|are|too|so) dear\b/i, instead: 'expensive' },
  { phrase: /\bcomes? back\b/i, instead: 'returns' },
  { phrase: /\bgoes on\b/i, instead: 'continues' },
  { phrase: /\bnobody but\b/i, instead: 'only' },
  { phrase: /\bby and by\b/i, instead: 'gradually' },
];

/** The retired phrases in a text, each with its line, from 1. */
export function findRetired(text, isMarkdown) {
  const found = [];
  for (const { start, prose } of isMarkdown ? paragraphsOf(text) : commentTexts(text)) {
    // A phrase may stand across two lines.
    const joined = prose.replace(/\s*\n\s*(?:\*|\/\/|>)?\s*/g, ' ');
    for (const { phrase, instead } of RETIRED) {
      for (const match of joined.matchAll(new RegExp(phrase, 'gi'))) {
        const line = text.slice(0, start).split('\n').length;
        found.push({ line, phrase: match[0], instead });
      }
    }
  }
  return found;
}

function commentTexts(text) {
  const source = ts.createSourceFile('file.ts', text, ts.ScriptTarget.Latest, true);
  return commentsOf(source).map(({ pos, end }) => ({ start: pos, prose: text.slice(pos, end) }));
}

/** Markdown by paragraphs, without code and quotations. */
function paragraphsOf(text) {
  const paragraphs = [];
  let start = 0;
  let isCode = false;
  for (const part of text.split(/(?<=\n)\n/)) {
    const fences = part.match(/^\s*(```|~~~)/gm)?.length ?? 0;
    if (!isCode && fences === 0) paragraphs.push({ start, prose: part.replace(/`[^`]*`/g, '`code`') });
    if (fences % 2 === 1) isCode = !isCode;
    start += part.length + 1;
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
