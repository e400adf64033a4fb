// Wraps the comments of TypeScript and JavaScript and the prose of Markdown at 100 columns, which
// Biome does not do.
//
//   node scripts/wrap-prose.mjs FILE|FOLDER...          wraps lines that are too long
//   node scripts/wrap-prose.mjs --check FILE|FOLDER...  lists their files; exits with 1 if any
//
// Only comments and paragraphs with an overlong line are changed. Code, tables, headings and single
// words longer than a line stay as they are.
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

export const WIDTH = 100;
const SKIPPED_FOLDERS = new Set(['node_modules', 'dist', 'coverage', 'build']);
/** Maximum length of a link's text that is kept on one line. */
const MAX_LINK = 70;
/** Comments for tools, one per line. */
const DIRECTIVE = /^\/\/+\s*(biome-ignore|@ts-|#|eslint-|v8 ignore)|^\/\/\//;

/** Matches the prefix of a list item: `- ` or `2. `. */
const LIST_ITEM = /^(\s*)([-*+]|\d+[.)])\s+/;
const VERBATIM_LINE = /^\s*(\||<\/?[a-z!]|#|\[[^\]]+\]:\s)/i;

/**
 * Splits a text into unbreakable units: words, `{@link Some.name}`, inline code, Markdown links.
 */
function wordsOf(text) {
  const words = [];
  let open = '';
  for (const part of text.split(/\s+/).filter((word) => word !== '')) {
    open = open === '' ? part : `${open} ${part}`;
    if (isClosed(open)) {
      words.push(open);
      open = '';
    }
  }
  // An unclosed construct is split after all.
  return open === '' ? words : [...words, ...open.split(' ')];
}

function isClosed(text) {
  const count = (part) => text.split(part).length - 1;
  if (count('`') % 2 === 1 || count('{@') > count('}')) return false;
  return count('[') <= count(']') || text.length > MAX_LINK;
}

/** Fills lines of at most `width` columns, prefixed with `first` and then `rest`. */
export function fill(text, width, first = '', rest = first) {
  const lines = [];
  let line = first;
  let isEmpty = true;
  for (const word of wordsOf(text)) {
    // At the start of a line, such a word would begin a list, a heading or a quotation.
    const mayBegin = !/^([-*+>#]+|\d+[.)])$/.test(word);
    if (!isEmpty && line.length + 1 + word.length > width && mayBegin) {
      lines.push(line);
      line = rest + word;
    } else line += isEmpty ? word : ` ${word}`;
    isEmpty = false;
  }
  return [...lines, line.trimEnd()];
}

/** Wraps lines without comment markers: paragraphs, lists, fences, tables. */
export function wrapText(lines, width) {
  const out = [];
  let fence;
  for (let i = 0; i < lines.length; ) {
    const line = lines[i];
    const mark = /^\s*(```+|~~~+)/.exec(line)?.[1];
    if (fence !== undefined || mark !== undefined) {
      if (fence === undefined) fence = mark;
      else if (mark?.startsWith(fence)) fence = undefined;
      out.push(line);
      i++;
      continue;
    }
    if (line.trim() === '' || VERBATIM_LINE.test(line)) {
      out.push(line);
      i++;
      continue;
    }
    const item = LIST_ITEM.exec(line);
    const tag = /^@\w+/.test(line);
    const first = item?.[0] ?? /^\s*(> ?)*/.exec(line)[0];
    const rest = item ? ' '.repeat(item[0].length) : tag ? '  ' : first;
    let end = i + 1;
    while (end < lines.length && isContinued(lines[end])) end++;
    const paragraph = lines.slice(i, end);
    // Two trailing spaces are a line break in Markdown.
    if (paragraph.every((each) => each.length <= width) || paragraph.some((each) => / {2}$/.test(each)))
      out.push(...paragraph);
    else {
      const text = paragraph.map((each) => each.replace(/^\s*(> ?)*/, '')).join(' ');
      out.push(...fill(item ? text.slice(item[0].trimStart().length) : text, width, first, rest));
    }
    i = end;
  }
  return out;
}

function isContinued(line) {
  return line.trim() !== '' && !VERBATIM_LINE.test(line) && !LIST_ITEM.test(line) && !/^\s*(```|~~~|@\w)/.test(line);
}

/** Text of these is not a comment, whatever it looks like. */
const LITERALS = new Set([
  ts.SyntaxKind.StringLiteral,
  ts.SyntaxKind.NoSubstitutionTemplateLiteral,
  ts.SyntaxKind.TemplateHead,
  ts.SyntaxKind.TemplateMiddle,
  ts.SyntaxKind.TemplateTail,
  ts.SyntaxKind.RegularExpressionLiteral,
]);

/**
 * Returns the comments of a source file in order, as `{ pos, end, kind }`. Does not ask TypeScript
 * for the comments at each token, which takes ten times as long.
 */
export function commentsOf(source) {
  const { text } = source;
  const literals = [];
  const visit = (node) => {
    if (LITERALS.has(node.kind)) literals.push(node);
    else ts.forEachChild(node, visit);
  };
  visit(source);
  const comments = [];
  const comment = /\/\/.*|\/\*[\s\S]*?\*\//g;
  let from = 0;
  for (const { pos, end } of [...literals, { pos: text.length, end: text.length }]) {
    // The comments before a literal belong to its range.
    const start = pos < text.length ? ts.skipTrivia(text, pos) : pos;
    comment.lastIndex = from;
    for (let match = comment.exec(text); match && match.index < start; match = comment.exec(text)) {
      const isLine = match[0].startsWith('//');
      comments.push({
        pos: match.index,
        end: comment.lastIndex,
        kind: isLine ? ts.SyntaxKind.SingleLineCommentTrivia : ts.SyntaxKind.MultiLineCommentTrivia,
      });
    }
    from = end;
  }
  return comments;
}

/** Returns the source with its comments wrapped. */
export function wrapSource(text, name) {
  // Few files are parsed, which takes most of the time.
  if (!mayBeWide(text)) return text;
  const source = ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true);
  const lineStart = (at) => text.lastIndexOf('\n', at - 1) + 1;
  const edits = [];
  const comments = commentsOf(source).filter(({ pos }) => text.slice(lineStart(pos), pos).trim() === '');
  for (let i = 0; i < comments.length; i++) {
    const { pos, kind } = comments[i];
    const indent = text.slice(lineStart(pos), pos);
    if (kind === ts.SyntaxKind.SingleLineCommentTrivia) {
      const from = i;
      // Adjacent line comments with the same indent form one text.
      while (isNext(comments[i], comments[i + 1], indent)) i++;
      const group = comments.slice(from, i + 1).map((each) => text.slice(each.pos, each.end));
      if (group.some((line) => DIRECTIVE.test(line)) || fits(group, indent)) continue;
      const prose = group.map((line) => line.replace(/^\/\/ ?/, ''));
      edits.push({
        pos,
        end: comments[i].end,
        lines: wrapText(prose, WIDTH - indent.length - 3).map((line) => `// ${line}`.trimEnd()),
        indent,
      });
    } else {
      const lines = text.slice(pos, comments[i].end).split('\n');
      if (fits([lines[0]], indent) && lines.slice(1).every((line) => line.length <= WIDTH)) continue;
      const isDoc = lines[0].startsWith('/**');
      const prose = lines.map((line) => line.replace(/^\s*\/?\*+\/? ?/, '').replace(/\s*\*+\/$/, ''));
      while (prose.at(-1)?.trim() === '') prose.pop();
      while (prose[0]?.trim() === '') prose.shift();
      const wrapped = wrapText(prose, WIDTH - indent.length - 3).map((line) => ` * ${line}`.trimEnd());
      edits.push({ pos, end: comments[i].end, lines: [isDoc ? '/**' : '/*', ...wrapped, ' */'], indent });
    }
  }
  function isNext(one, other, indent) {
    return (
      other?.kind === ts.SyntaxKind.SingleLineCommentTrivia &&
      text.slice(one.end, other.pos) === `\n${indent}` &&
      !DIRECTIVE.test(text.slice(other.pos, other.end))
    );
  }
  let wrapped = text;
  for (const { pos, end, lines, indent } of edits.reverse()) {
    wrapped = wrapped.slice(0, pos) + lines.join(`\n${indent}`) + wrapped.slice(end);
  }
  return wrapped;
}

/**
 * Returns true if a line is too wide in what looks like a comment that begins its line, be it in
 * the text of a template.
 */
function mayBeWide(text) {
  const comments = text.match(/^[ \t]*(?:\/\/.*|\/\*[\s\S]*?\*\/)/gm) ?? [];
  return comments.some((comment) => comment.split('\n').some((line) => line.length > WIDTH));
}

function fits(lines, indent) {
  return lines.every((line) => indent.length + line.length <= WIDTH);
}

/** Returns the Markdown with its prose wrapped. */
export function wrapMarkdown(text) {
  return wrapText(text.split('\n'), WIDTH).join('\n');
}

export function* proseFilesOf(path) {
  if (!statSync(path).isDirectory()) {
    yield path;
    return;
  }
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    if (
      entry.isDirectory()
        ? !SKIPPED_FOLDERS.has(entry.name) && !entry.name.startsWith('.')
        : /\.(m?[jt]s|md)$/.test(entry.name)
    )
      yield* proseFilesOf(join(path, entry.name));
  }
}

function main([option, ...more]) {
  const isCheck = option === '--check';
  const paths = isCheck ? more : [option, ...more];
  let tooLong = 0;
  for (const path of paths.flatMap((each) => [...proseFilesOf(each)])) {
    const text = readFileSync(path, 'utf8');
    const wrapped = path.endsWith('.md') ? wrapMarkdown(text) : wrapSource(text, path);
    if (wrapped === text) continue;
    tooLong++;
    if (isCheck) console.log(relative('.', path));
    else writeFileSync(path, wrapped);
  }
  if (!isCheck || tooLong === 0) return;
  console.error(`${tooLong} files have comments or prose wider than ${WIDTH} columns: npm run format wraps them.`);
  process.exitCode = 1;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main(process.argv.slice(2));
