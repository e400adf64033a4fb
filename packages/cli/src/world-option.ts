import { Option } from 'commander';

const SUMMARY = 'the world: slug, or namespace/slug';

export const WORLD_OPTION = new Option('--world <NAME>', SUMMARY);

/** For commands that also accept all worlds of a namespace. */
export const WORLD_OR_ALL_OPTION = new Option('--world <NAME>', `${SUMMARY} (default: all worlds of the namespace)`);
