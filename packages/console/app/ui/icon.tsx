/** Paths on a grid of 24, drawn with lines. To add an icon, add a row. */
const PATHS = {
  worlds:
    'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18ZM3 12h18M12 3c2.6 2.6 3.8 5.6 3.8 9S14.6 18.4 12 21c-2.6-2.6-3.8-5.6-3.8-9S9.4 5.6 12 3Z',
  sparql: 'M8 7l-5 5 5 5M16 7l5 5-5 5M13.5 5l-3 14',
  search: 'M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14ZM16.2 16.2 21 21',
  schema: 'M4 4h6v5H4zM14 15h6v5h-6zM4 15h6v5H4zM7 9v6M10 17.5h4',
  live: 'M3 12h4l3-8 4 16 3-8h4',
  plus: 'M12 5v14M5 12h14',
  close: 'M6 6l12 12M18 6 6 18',
  check: 'M4.5 12.5 10 18 20 6.5',
  down: 'M6 9l6 6 6-6',
  right: 'M9 6l6 6-6 6',
  left: 'M15 6l-6 6 6 6',
  upload: 'M12 16V4M7 9l5-5 5 5M4 16v4h16v-4',
  download: 'M12 4v12M7 11l5 5 5-5M4 16v4h16v-4',
  trash: 'M4 7h16M9 7V4h6v3M6 7l1 13h10l1-13M10 11v5M14 11v5',
  edit: 'M4 20h4L19 9l-4-4L4 16v4ZM13 7l4 4',
  play: 'M7 4.5v15l12-7.5z',
  stop: 'M6 6h12v12H6z',
  more: 'M5 12h.01M12 12h.01M19 12h.01',
  table: 'M3 5h18v14H3zM3 10h18M9 10v9',
  graph:
    'M6 8.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5ZM18 11a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5ZM10 20.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5ZM8.4 6.6l7.2 1.4M7 8.3l2.2 7.3M16.5 10.5l-4.7 5.7',
  chart: 'M4 20V10M10 20V4M16 20v-8M21 20H3',
  text: 'M5 6h14M5 12h14M5 18h9',
  plan: 'M12 3v5M12 8H6v4M12 8h6v4M3 12h6v6H3zM15 12h6v6h-6z',
  warn: 'M12 4 2.5 20h19L12 4ZM12 10v5M12 17.5h.01',
  info: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18ZM12 11v5.5M12 7.7h.01',
  offline: 'M3 3l18 18M5 12a10 10 0 0 1 3.5-2.3M12 9a10 10 0 0 1 7 3M8.5 15.5A5 5 0 0 1 12 14M12 19h.01',
  copy: 'M8 8h12v12H8zM4 16V4h12',
  out: 'M14 4h6v6M20 4l-9 9M18 14v6H4V6h6',
  sun: 'M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8ZM12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.4 1.4M17.6 17.6 19 19M19 5l-1.4 1.4M6.4 17.6 5 19',
  moon: 'M20 14.5A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.5 10.5Z',
  signOut: 'M10 4H4v16h6M15 8l4 4-4 4M19 12H9',
  refresh: 'M20 11a8 8 0 1 0-2.3 6.3M20 5v6h-6',
  file: 'M6 3h8l4 4v14H6zM14 3v4h4',
  clock: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18ZM12 7v5l3.5 2',
  filter: 'M4 5h16l-6 8v6l-4-2v-4z',
  expand: 'M9 4H4v5M15 20h5v-5M4 4l6 6M20 20l-6-6',
  image: 'M3 5h18v14H3zM3 16l5-5 4 4 3-3 6 6M15.5 9.5h.01',
  history: 'M4 12a8 8 0 1 1 2.6 5.9M4 12V7M4 12h5M12 8v4.5l3 1.5',
} as const;

export type IconName = keyof typeof PATHS;

/** A picture beside a text that says the same; hidden from screen readers. */
export function Icon({ name, size = 18 }: { name: IconName; size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill={name === 'play' || name === 'stop' ? 'currentColor' : 'none'}
      stroke="currentColor"
      stroke-width={name === 'more' ? 3 : 1.7}
      stroke-linecap="round"
      stroke-linejoin="round"
      aria-hidden="true"
    >
      <path d={PATHS[name]} />
    </svg>
  );
}
