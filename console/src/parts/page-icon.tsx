const paths: Readonly<Record<string, string>> = {
  Start: 'M4 11l8-7 8 7v9h-5v-6H9v6H4z',
  Indexes: 'M4 9l8-4 8 4-8 4zM4 13l8 4 8-4M4 17l8 4 8-4',
  Aliases: 'M4 4h8l8 8-8 8-8-8zM8.5 8.5h.01',
  Events: 'M13 3L5 14h6l-1 7 8-11h-6z',
  'Keys and clients': 'M8 16a4 4 0 1 1 3-6.6L20 9v4h-3v3h-4v-2.5A4 4 0 0 1 8 16z',
  Team: 'M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM3 20c0-4 3-6 6-6s6 2 6 6M16 5a3 3 0 0 1 0 6M17.5 14.5c2 .7 3.5 2.5 3.5 5.5',
  Usage: 'M4 20V10M10 20V4M16 20v-7M21 20H3',
  'Audit log': 'M6 3h9l4 4v14H6zM9 11h7M9 15h7',
  Settings: 'M4 7h9M17 7h3M4 17h3M11 17h9M15 5v4M9 15v4',
};

/** Icon of a page in the navigation. */
export const PageIcon = ({ name }: { readonly name: string }) => (
  <svg
    width={18}
    height={18}
    viewBox="0 0 24 24"
    fill="none"
    stroke="currentColor"
    strokeWidth={1.8}
    strokeLinejoin="round"
    strokeLinecap="round"
    aria-hidden
  >
    <path d={paths[name]} />
  </svg>
);
