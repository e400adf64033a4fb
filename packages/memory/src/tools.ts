import type { Tool } from './tool.ts';
import { correct } from './tools/correct.ts';
import { createWorld } from './tools/create-world.ts';
import { describeWorld } from './tools/describe-world.ts';
import { findEntity } from './tools/find-entity.ts';
import { forget } from './tools/forget.ts';
import { history } from './tools/history.ts';
import { importDocument } from './tools/import-document.ts';
import { listWorlds } from './tools/list-worlds.ts';
import { look } from './tools/look.ts';
import { query } from './tools/query.ts';
import { remember } from './tools/remember.ts';
import { rememberDocument } from './tools/remember-document.ts';
import { search } from './tools/search.ts';
import { stateAt } from './tools/state-at.ts';

/** All tools. To add one, write its file in `tools/` and add a row. */
export const MEMORY_TOOLS: readonly Tool[] = [
  listWorlds,
  createWorld,
  describeWorld,
  search,
  findEntity,
  look,
  query,
  remember,
  correct,
  forget,
  history,
  stateAt,
  importDocument,
  rememberDocument,
];

/** Returns the tools of a memory: without those that write, if it is read-only. */
export function toolsFor(
  { scope }: { readonly scope: { readonly readOnly: boolean } },
  tools: readonly Tool[] = MEMORY_TOOLS,
): readonly Tool[] {
  return scope.readOnly ? tools.filter(({ annotations }) => annotations.readOnlyHint) : tools;
}
