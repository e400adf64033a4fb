import { type Page, pages, titleOf } from './pages.ts';

interface Item {
  readonly text: string;
  readonly link: string;
}

interface Group {
  readonly text: string;
  readonly collapsed?: boolean;
  readonly items: readonly Item[];
}

const GROUPS: readonly { readonly text: string; readonly folder: string; readonly more?: readonly Item[] }[] = [
  { text: 'Guides', folder: 'guides/' },
  {
    text: 'Reference',
    folder: 'reference/',
    more: [
      { text: 'API', link: '/api/' },
      { text: 'SPARQL functions', link: '/reference/functions' },
      { text: 'Limits', link: '/reference/limits' },
      { text: 'Dependencies', link: '/dependencies' },
    ],
  },
  { text: 'Packages', folder: 'packages/' },
  { text: 'Examples', folder: 'examples/' },
  { text: 'Inside', folder: 'internals/', more: [{ text: 'Architecture', link: '/architecture' }] },
  { text: 'Decisions', folder: 'decisions/' },
];

const itemOf = ({ source, page }: Page): Item => ({ text: titleOf(source), link: `/${page.replace(/\.md$/, '')}` });

/** Returns the navigation of the site: every page but those that the top bar has. */
export function sidebar(): Group[] {
  const all = pages();
  const inside = (folder: string) => all.filter(({ page }) => page.startsWith(folder)).map(itemOf);
  const groups = GROUPS.map(({ text, folder, more = [] }, index) => ({
    text,
    collapsed: index > 0,
    items: [...more, ...inside(folder)],
  }));
  const start: Group = {
    text: 'Start',
    items: [
      { text: 'Overview', link: '/overview' },
      { text: 'Benchmarks', link: '/benchmarks' },
      { text: 'Changes', link: '/changelog' },
      { text: 'Contributing', link: '/contributing' },
      { text: 'Security', link: '/security' },
    ],
  };
  return [start, ...groups];
}
