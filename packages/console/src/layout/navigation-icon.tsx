/** Strokes of the icons, 16 by 16. */
const STROKES = {
  start: 'M2.5 7.5 8 3l5.5 4.5V13h-4V9.5h-3V13h-4z',
  overview: 'M5.5 2.5v3M10.5 2.5v3M4 5.5h8v2.5a4 4 0 0 1-8 0zM8 12v2',
  records: 'M2.5 3.5h11v9h-11zM2.5 6.5h11M6 6.5v6',
  writes: 'M3 13l.6-2.6 7.2-7.2 2 2-7.2 7.2z',
  mappings: 'M2.5 5h8M8 2.5 10.5 5 8 7.5M13.5 11h-8M8 8.5 5.5 11 8 13.5',
  dataMappings: 'M2.5 3h4v4h-4zM9.5 9h4v4h-4zM6.5 5h3.5v4',
  policy: 'M2.5 5h11M2.5 11h11M6 3v4M10.5 9v4',
  support: 'M2.5 3h11v8H8.5l-3 2.5V11h-3z',
  query: 'M3 4.5 6.5 8 3 11.5M8 12h5',
  connections:
    'M5.5 8h5M3.75 6.25a1.75 1.75 0 1 0 0 3.5 1.75 1.75 0 0 0 0-3.5M12.25 6.25a1.75 1.75 0 1 0 0 3.5 1.75 1.75 0 0 0 0-3.5',
  approvals: 'M8 2.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11M5.5 8.2l1.8 1.8 3.4-3.6',
  webhooks: 'M8.7 2.2 4 9h3.4l-.6 4.8L12 7H8.4z',
  requests: 'M6 4h7.5M6 8h7.5M6 12h7.5M2.5 4h.5M2.5 8h.5M2.5 12h.5',
  audit: 'M8 2l5 1.8v3.7c0 3-2 5.2-5 6.5-3-1.3-5-3.5-5-6.5V3.8z',
  access: 'M10.5 2.5a3 3 0 1 0 0 6 3 3 0 0 0 0-6M8.3 7.7 2.5 13.5M4.7 11.3l1.5 1.5',
} as const;

/** Whose page a link leads to. */
export type IconName = keyof typeof STROKES;

/** The icon beside the name of a page, which contains no information besides the name. */
export function NavigationIcon({ name }: { readonly name: IconName }) {
  return (
    <svg
      viewBox="0 0 16 16"
      width="16"
      height="16"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.4"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d={STROKES[name]} />
    </svg>
  );
}
