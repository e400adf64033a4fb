import type { Option } from './command.ts';

export const WORLD_OPTION: Option = { name: 'world', value: 'NAME', summary: 'the world: slug, or namespace/slug' };
